package dev.slipway.kubernetes.cluster;

import dev.slipway.engine.execute.RunLease;
import java.io.ByteArrayInputStream;

/**
 * A request body that is sent only while the lease lasts: it is read when the connection is open
 * and the request is about to be written, and connecting may have taken longer than the lease.
 */
final class LeasedStream extends ByteArrayInputStream {
  private final RunLease lease;
  private boolean checked;

  LeasedStream(byte[] bytes, RunLease lease) {
    super(bytes);
    this.lease = lease;
  }

  @Override
  public synchronized int read(byte[] target, int from, int length) {
    if (!checked) {
      try {
        lease.check();
      } catch (InterruptedException e) {
        throw new IllegalStateException("the request was not sent: " + e.getMessage(), e);
      }
      checked = true;
    }
    int read = super.read(target, from, length);
    if (read < 0) {
      // The client sends the body again when the credentials were renewed after a 401.
      reset();
      checked = false;
    }
    return read;
  }
}
