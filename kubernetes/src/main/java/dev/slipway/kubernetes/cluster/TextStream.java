package dev.slipway.kubernetes.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** An answer that arrives over time. To be closed, also when it has been read to its end. */
public record TextStream(int status, InputStream body) implements AutoCloseable {
  /** Whether it is what was asked for; else it says why not. */
  public boolean ok() {
    return status / 100 == 2;
  }

  @Override
  public void close() {
    try {
      body.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
