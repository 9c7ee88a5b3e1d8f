package dev.slipway.steps;

import dev.slipway.engine.execute.Lease;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/**
 * The body of a request that leaves only while the lease lasts. Its length is asked for when there
 * is a connection and the request is about to be written, also when there is no body at all: the
 * way to there may have taken long.
 */
record LeasedBody(BodyPublisher body, Lease lease) implements BodyPublisher {
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
