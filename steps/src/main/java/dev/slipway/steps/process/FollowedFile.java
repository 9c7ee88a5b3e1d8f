package dev.slipway.steps.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * Reads a file while a program writes it, as if it were a pipe. A pipe breaks when the server dies,
 * and most programs die when they write into a broken pipe; a file stays.
 */
final class FollowedFile extends InputStream {
  private static final long LOOK_MILLIS = 50;

  private final InputStream file;
  private final BooleanSupplier writing;

  /** Ends when {@code writing} is false and all is read. */
  FollowedFile(Path file, BooleanSupplier writing) throws IOException {
    this.file = Files.newInputStream(file);
    this.writing = writing;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    while (true) {
      boolean more =
          writing.getAsBoolean(); // asked before reading, so that no last write is missed
      int read = file.read(into, offset, length);
      if (read > 0 || !more) {
        return read;
      }
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        throw new InterruptedIOException("the reader of this file was interrupted");
      }
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
