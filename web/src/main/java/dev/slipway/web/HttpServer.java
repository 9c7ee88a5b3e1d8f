package dev.slipway.web;

import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.access.AuditLog;
import dev.slipway.postgres.access.RepeatedRequests;
import dev.slipway.web.access.Authentication;
import dev.slipway.web.access.CoalescedAudit;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.MinimumDataRateHandler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Listens on the HTTP port and dispatches requests to their routes. */
public final class HttpServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
  private static final Duration IDLE = Duration.ofSeconds(30);

  /** Minimum data rate: a client that sends slower is disconnected. */
  private static final long SLOWEST_BYTES_PER_SECOND = 64;

  /** A client that takes longer to read one write of a stream is disconnected; it can reconnect. */
  private static final Duration SLOWEST_WRITE = Duration.ofSeconds(20);

  private final Javalin javalin;
  private final List<Route> routes;
  private final Pipeline pipeline;
  private final HttpMetrics metrics;
  private final CoalescedAudit refusals;
  private final CallThreads threads = new CallThreads();
  private final WriteDeadline deadline;

  /** Collaborators of the request pipeline. */
  public record Parts(
      Authentication authentication,
      Admission gate,
      RepeatedRequests repeatedRequests,
      SecretBox box,
      AuditLog audit,
      PublicAddress address,
      ClientAddress clients,
      InstantSource clock,
      HttpMetrics metrics,
      Threads threads) {}

  public HttpServer(List<Route> routes, Parts parts) {
    this.routes = List.copyOf(routes);
    this.metrics = parts.metrics();
    this.deadline = new WriteDeadline(SLOWEST_WRITE, parts.threads());
    this.refusals = new CoalescedAudit(parts.audit(), parts.clock(), parts.threads());
    this.pipeline =
        new Pipeline(
            parts.authentication(),
            new Pipeline.Addresses(parts.address(), parts.clients()),
            new Pipeline.Stations(
                parts.gate(),
                new Repeats(parts.repeatedRequests(), parts.box(), parts.clock()),
                new AuditTrail(parts.audit(), refusals, parts.clock()),
                threads));
    this.javalin = Javalin.create(this::configure);
  }

  /** Starts to listen; returns the port, a free one if {@code port} is 0. */
  public int start(String host, int port) {
    return javalin.start(host, port).port();
  }

  /**
   * Waits for active calls, so that their clients get a response, and answers new ones with 503;
   * then stops listening.
   */
  @Override
  public void close() {
    threads.close();
    try {
      javalin.stop();
    } catch (RuntimeException e) {
      // The port is closed, but some connections did not end within the timeout.
      LOG.warn("requests are still active: {}", e.getMessage());
    }
    deadline.close();
    refusals.close();
  }

  private void configure(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.concurrency.useVirtualThreads = true;
    config.http.maxRequestSize = RequestBodies.LONGEST;
    config.jetty.modifyHttpConfiguration(HttpServer::harden);
    config.jetty.modifyServer(
        server -> {
          server.setStopTimeout(2_000);
          server.setErrorHandler(HttpServer::refusedByListener);
          server.setHandler(new MinimumDataRateHandler(SLOWEST_BYTES_PER_SECOND, 0));
        });
    config.routes.exception(HttpResponseException.class, this::unmatched);
    config.routes.exception(
        IOException.class, (failure, context) -> LOG.debug("{}", failure.getMessage()));
    config.routes.exception(
        Exception.class, (failure, context) -> failed(failure, context, Trace.of(null)));
    for (Route route : routes) {
      io.javalin.http.Handler handler = context -> handle(context, route);
      config.routes.addHttpHandler(
          HandlerType.findOrCreate(route.method().name()), route.path(), handler);
      if (route.method() == Route.Method.GET && !route.traits().contains(Route.Trait.STREAM)) {
        config.routes.addHttpHandler(HandlerType.HEAD, route.path(), handler);
      }
    }
  }

  private static void harden(HttpConfiguration http) {
    http.setIdleTimeout(IDLE.toMillis());
    http.setSendServerVersion(false);
    http.setSendDateHeader(true);
    http.setRequestHeaderSize(16 * 1024);
  }

  /** Malformed requests, such as a path with a NUL, are refused before a route is matched. */
  private static boolean refusedByListener(Request request, Response response, Callback callback) {
    Trace trace = Trace.of(null);
    int status = response.getStatus() < 400 ? 500 : response.getStatus();
    Problem problem =
        status < 500
            ? Problem.of(
                status,
                "bad-request",
                "The request cannot be understood",
                "The address or a header of the request is not valid.")
            : Problem.of(status, "internal", "Something went wrong", "Try again.");
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
    response.getHeaders().put("X-Request-Id", trace.id());
    String path = request.getHttpURI() == null ? null : request.getHttpURI().getPath();
    String body = ApiJson.write(problem.document(path == null ? "/" : path, trace.id()));
    Content.Sink.write(response, true, body, callback);
    return true;
  }

  private void handle(Context context, Route route) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Trace trace = Trace.of(context.header("traceparent"));
    MDC.put("trace_id", trace.id());
    MDC.put("span_id", trace.span());
    try (Exchange exchange = Exchange.begin(context)) {
      Answer answer = pipeline.answer(context, route, trace);
      metrics.answered(route, answer.status());
      LOG.debug(
          "{} {} {} in {} ms",
          route.method(),
          context.path(),
          answer.status(),
          (System.nanoTime() - start) / 1_000_000);
      write(context, answer, trace);
    } finally {
      MDC.clear();
    }
  }

  private void unmatched(HttpResponseException failure, Context context) {
    Trace trace = Trace.of(context.header("traceparent"));
    Set<String> allowed = new TreeSet<>();
    routes.stream()
        .filter(r -> r.covers(context.path()))
        .forEach(r -> allowed.add(r.method().name()));
    boolean elsewhere =
        (failure.getStatus() == 404 || failure.getStatus() == 405) && !allowed.isEmpty();
    if (!elsewhere) {
      failed(failure, context, trace);
      return;
    }
    String methods = String.join(", ", allowed);
    failed(
        Problem.of(
                405,
                "method-not-allowed",
                "The method is not allowed here",
                "This path takes " + methods + ", not " + context.method().name() + ".")
            .withHeader("Allow", methods)
            .exception(),
        context,
        trace);
  }

  private void failed(Exception failure, Context context, Trace trace) {
    Answer answer = Failures.answer(failure, context.path(), trace);
    metrics.unmatched(context.method().name(), answer.status());
    try {
      write(context, answer, trace);
    } catch (IOException e) {
      LOG.debug("the client has disconnected: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(Context context, Answer answer, Trace trace)
      throws IOException, InterruptedException {
    if (answer.status() >= 400) {
      RequestBodies.letGo(context.req());
    }
    context.status(answer.status());
    context.header("X-Request-Id", trace.id());
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Cache-Control", "no-store");
    answer.headers().forEach(context::header);
    if (unchanged(context, answer)) {
      context.status(304);
      return;
    }
    switch (answer.body()) {
      case Answer.Body.None none -> context.result("");
      case Answer.Body.Value value ->
          context.contentType("application/json").result(ApiJson.write(value.value()));
      case Answer.Body.Text text -> context.contentType(text.contentType()).result(text.text());
      case Answer.Body.Stream stream -> stream(context, stream);
    }
  }

  /** Closes the connection; a write in progress fails. */
  private static void cut(Context context) {
    ServletContextRequest.getServletContextRequest(context.req())
        .getConnectionMetaData()
        .getConnection()
        .getEndPoint()
        .close();
  }

  /** The number of connected clients. */
  public int connections() {
    return Arrays.stream(javalin.jettyServer().server().getConnectors())
        .mapToInt(connector -> connector.getConnectedEndPoints().size())
        .sum();
  }

  private static boolean unchanged(Context context, Answer answer) {
    String known = context.header("If-None-Match");
    String tag = answer.headers().get("ETag");
    return answer.status() == 200
        && context.method().equals(HandlerType.GET)
        && known != null
        && tag != null
        && List.of(known.split("\\s*,\\s*")).contains(tag);
  }

  private void stream(Context context, Answer.Body.Stream stream)
      throws IOException, InterruptedException {
    context.res().setContentType(stream.contentType());
    context.res().setCharacterEncoding(StandardCharsets.UTF_8.name());
    context.res().setHeader("X-Accel-Buffering", "no");
    context.res().flushBuffer();
    OutputStream out = deadline.over(context.res().getOutputStream(), () -> cut(context));
    try {
      stream.writer().write(out);
    } catch (IOException e) {
      LOG.debug("the client of the stream at {} has disconnected", context.path());
    } catch (RuntimeException e) {
      // The response has begun, so it cannot become a problem document: abort the connection.
      LOG.warn("the stream at {} broke off: {}", context.path(), e.getMessage());
      throw new IOException("broken off", e);
    }
  }
}
