package dev.slipway.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Reads request bodies with limits on size, on time for slow senders, and on the number of long
 * bodies in memory. Only long bodies can be refused because other clients are sending; calls that
 * remove work have short ones.
 */
final class RequestBodies {
  static final int LONGEST = 1024 * 1024;

  /** The limit for logins, comments and all other calls that create no work. */
  static final int SHORT = 16 * 1024;

  /** How many longer bodies are received at a time. */
  static final int LONG_ONES = 64;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** How long, and how much, {@link #letGo} reads from a client that is refused. */
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private static final int LET_GO = 8 * LONGEST;

  private final Semaphore longOnes = new Semaphore(LONG_ONES);

  /** Reads the whole body. */
  byte[] read(HttpServletRequest request, Route.Lane lane) {
    int limit = lane == Route.Lane.CHANGES ? LONGEST : SHORT;
    if (request.getContentLengthLong() > limit) {
      throw tooLarge(limit).exception();
    }
    try {
      return new Reading(request.getInputStream()).upTo(limit);
    } catch (IOException e) {
      throw brokenOff().exception();
    }
  }

  /**
   * Drains the request body before a 4xx response: a client that is still sending when the server
   * closes the connection may never read the response. A short body has arrived by then, and a
   * client that sent {@code Expect} sends no body.
   */
  static void letGo(HttpServletRequest request) {
    boolean isLong =
        request.getContentLengthLong() > SHORT || request.getHeader("Transfer-Encoding") != null;
    if (!isLong || request.getHeader("Expect") != null) {
      return;
    }
    long deadline = System.nanoTime() + FAREWELL.toNanos();
    byte[] buffer = new byte[4 * 1024];
    int gone = 0;
    try {
      InputStream in = request.getInputStream();
      for (int n = 0; n >= 0 && gone < LET_GO && System.nanoTime() < deadline; ) {
        gone += n;
        n = in.read(buffer);
      }
    } catch (IOException e) {
      // The client closed the connection: there is nothing left to drain.
    }
  }

  /** A body while it is received. */
  private final class Reading {
    private final long deadline = System.nanoTime() + PATIENCE.toNanos();
    private final ByteArrayOutputStream all = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[4 * 1024];
    private final InputStream in;

    Reading(InputStream in) {
      this.in = in;
    }

    byte[] upTo(int limit) throws IOException {
      if (more(SHORT)) {
        if (!longOnes.tryAcquire()) {
          throw tooManyLongOnes().exception();
        }
        try {
          more(limit);
        } finally {
          longOnes.release();
        }
      }
      if (all.size() > limit) {
        throw tooLarge(limit).exception();
      }
      return all.toByteArray();
    }

    /** Reads to the end of the body or beyond the limit; returns whether the limit was exceeded. */
    private boolean more(int limit) throws IOException {
      while (all.size() <= limit) {
        int n = in.read(buffer);
        if (n < 0) {
          return false;
        }
        all.write(buffer, 0, n);
        if (System.nanoTime() > deadline) {
          throw brokenOff().exception();
        }
      }
      return true;
    }
  }

  private static Problem brokenOff() {
    return Problem.of(
            408,
            "timeout",
            "The request took too long",
            "The body did not arrive within " + PATIENCE.toSeconds() + " s.")
        .withHeader("Connection", "close");
  }

  private static Problem tooManyLongOnes() {
    return Problem.slowDown(
            "This server receives "
                + LONG_ONES
                + " requests of more than "
                + SHORT
                + " bytes at the same time. Nothing was changed; repeat the call.",
            1)
        .withHeader("Connection", "close");
  }

  private static Problem tooLarge(int limit) {
    return Problem.of(
            413,
            "too-large",
            "The request is too large",
            "The body of this request has at most " + limit + " bytes.")
        .withHeader("Connection", "close");
  }
}
