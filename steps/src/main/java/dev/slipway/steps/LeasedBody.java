package dev.slipway.steps;

import dev.slipway.engine.execute.RunLease;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/**
 * A request body that is sent only while the lease lasts. The client asks for its length when the
 * connection is open and the request is about to be written, also for an empty body; connecting may
 * have taken longer than the lease.
 */
record LeasedBody(BodyPublisher body, RunLease lease) implements BodyPublisher {
  @Override
  public long contentLength() {
    check();
    return body.contentLength();
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    check();
    body.subscribe(subscriber);
  }

  private void check() {
    try {
      lease.check();
    } catch (InterruptedException e) {
      throw new IllegalStateException("the request was not sent: " + e.getMessage(), e);
    }
  }
}
