package dev.slipway.git;

import dev.slipway.engine.execute.RunLease;
import org.eclipse.jgit.lib.EmptyProgressMonitor;
import org.eclipse.jgit.lib.ProgressMonitor;

/** Cancels when the lease has ended; checked before anything is sent. */
final class LeasedProgress extends EmptyProgressMonitor {
  private final ProgressMonitor monitor;
  private final RunLease lease;

  LeasedProgress(ProgressMonitor monitor, RunLease lease) {
    this.monitor = monitor;
    this.lease = lease;
  }

  @Override
  public boolean isCancelled() {
    try {
      lease.check();
      return monitor.isCancelled();
    } catch (InterruptedException e) {
      return true;
    }
  }
}
