package dev.slipway.server.http;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Reads what clients send: bounded in size, and in time for those that send it drop by drop. */
final class RequestBody {
  static final int LIMIT = 1024 * 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private RequestBody() {}

  static byte[] read(HttpServletRequest request) throws IOException {
    if (request.getContentLengthLong() > LIMIT) {
      throw tooLarge().exception();
    }
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    InputStream in = request.getInputStream();
    byte[] buffer = new byte[16 * 1024];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      all.write(buffer, 0, n);
      if (all.size() > LIMIT) {
        throw tooLarge().exception();
      }
      if (System.nanoTime() > deadline) {
        throw brokenOff().exception();
      }
    }
    return all.toByteArray();
  }

  static Problem brokenOff() {
    return Problem.of(
            408,
            "timeout",
            "The request took too long",
            "The body did not arrive within " + PATIENCE.toSeconds() + " s.")
        .withHeader("Connection", "close");
  }

  private static Problem tooLarge() {
    return Problem.of(
            413,
            "too-large",
            "The request is too large",
            "A request body has at most " + LIMIT + " bytes.")
        .withHeader("Connection", "close");
  }
}
