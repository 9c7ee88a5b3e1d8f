package dev.slipway.git;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that fails when more bytes arrive than allowed. */
final class BoundedStream extends FilterInputStream {
  private final long most;
  private long left;

  BoundedStream(InputStream in, long most) {
    super(in);
    this.most = most;
    this.left = most;
  }

  /** More bytes arrived than allowed. */
  static final class TooMuchException extends IOException {
    private static final long serialVersionUID = 1L;

    TooMuchException(long most) {
      super("more than " + most + " bytes");
    }
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    if (read >= 0) {
      count(1);
    }
    return read;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int read = super.read(buffer, offset, length);
    if (read > 0) {
      count(read);
    }
    return read;
  }

  private void count(int bytes) throws TooMuchException {
    left -= bytes;
    if (left < 0) {
      throw new TooMuchException(most);
    }
  }
}
