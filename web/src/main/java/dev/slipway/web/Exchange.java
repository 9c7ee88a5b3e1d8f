package dev.slipway.web;

import io.javalin.http.Context;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its response. Resources that a call holds until its response is sent are released
 * here: a client may reset its connection between any two bytes, even before the code that writes
 * the response was reached.
 */
final class Exchange implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
  private static final String ATTRIBUTE = Exchange.class.getName();

  private final Deque<Runnable> releases = new ArrayDeque<>();

  private Exchange() {}

  static Exchange begin(Context context) {
    Exchange exchange = new Exchange();
    context.attribute(ATTRIBUTE, exchange);
    return exchange;
  }

  static Exchange of(Context context) {
    Exchange exchange = context.attribute(ATTRIBUTE);
    if (exchange == null) {
      throw new IllegalStateException("no exchange was opened for this request");
    }
    return exchange;
  }

  synchronized void atEnd(Runnable release) {
    releases.push(release);
  }

  @Override
  public synchronized void close() {
    while (!releases.isEmpty()) {
      try {
        releases.pop().run();
      } catch (RuntimeException e) {
        LOG.error("a resource of a request was not released", e);
      }
    }
  }
}
