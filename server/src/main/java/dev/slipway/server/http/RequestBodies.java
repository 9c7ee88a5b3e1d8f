package dev.slipway.server.http;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Reads what clients send: bounded in size, in time for those that send it drop by drop, and in how
 * much of it is in memory while the rest is awaited. Only what is long can be refused because
 * others send; what takes work away is short.
 */
final class RequestBodies {
  static final int LONGEST = 1024 * 1024;

  /** Of a login, a comment, and of everything else that brings no work. */
  static final int SHORT = 16 * 1024;

  /** How many longer ones are received at a time. */
  static final int LONG_ONES = 64;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /**
   * How long, and how much, somebody who is refused may still send to hear so. One who falls silent
   * is given up as any other.
   */
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private static final int LET_GO = 8 * LONGEST;

  private final Semaphore longOnes = new Semaphore(LONG_ONES);

  /** All of the body. */
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
   * Takes what is on its way and forgets it, before a refusal: whoever is still sending when the
   * connection is closed may never see the answer. What is short has been sent by then, and whoever
   * expects a word first sends nothing.
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
      // It has gone by itself.
    }
  }

  /** A body on its way. */
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

    /** Reads until it ends or is longer than that; answers whether it is. */
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
