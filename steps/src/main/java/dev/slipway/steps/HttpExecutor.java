package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.OutputParser;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import dev.slipway.steps.HostRules.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * Calls an HTTP endpoint. Sends the step's key as {@code Idempotency-Key}, so that the server can
 * recognise a call repeated after a crash; follows no redirect; calls only hosts that are granted
 * to the provider.
 */
public final class HttpExecutor implements StepExecutor {
  static final StepType TYPE =
      new StepType(
              "http",
              Set.of(),
              List.of(
                  new Field("url", Kind.TEXT, Need.REQUIRED, "where to call"),
                  new Field(
                      "method", Kind.TEXT, Need.OPTIONAL, "GET when left out, POST with a body"),
                  new Field("headers", Kind.MAP, Need.OPTIONAL, "request headers"),
                  new Field("query", Kind.MAP, Need.OPTIONAL, "query parameters, encoded"),
                  new Field("json", Kind.VALUE, Need.OPTIONAL, "a value sent as JSON"),
                  new Field("body", Kind.TEXT, Need.OPTIONAL, "a text sent as it is"),
                  new Field(
                      "auth", Kind.MAP, Need.OPTIONAL, "bearer: TOKEN, or username and password"),
                  new Field("expectStatus", Kind.VALUE, Need.OPTIONAL, "a status or a list; 2xx"),
                  new Field(
                      "poll", Kind.MAP, Need.OPTIONAL, "until: {path, equals}, interval: 10s"),
                  new Field(
                      "tls",
                      Kind.MAP,
                      Need.OPTIONAL,
                      "ca: whom to trust instead of the usual authorities; certificate and key:"
                          + " who to be; all PEM text")),
              3,
              StepType.Code.NONE)
          .atMostOne("json", "body")
          .documented(
              "Calls a URL, whose path may not have a segment `..`. The host must be granted to the provider, and a loopback or private"
                  + " address itself too; the address that was checked is the one that is"
                  + " connected to, and redirects are not followed. HTTP/1.1.",
              "No connection and the statuses 429, 502, 503 and 504 are transient and tried again;"
                  + " any other unexpected status fails, and gives its status only. `Retry-After` is"
                  + " honoured, up to 15 minutes. `Idempotency-Key` carries the attempt's"
                  + " key, which an attempt repeated after a crash keeps.")
          .giving("status", "the status code")
          .giving("headers", "the answer's headers")
          .giving("body", "the answer as text")
          .giving("json", "the answer read as JSON, when it is JSON");

  static {
    // By default Java sends a Host header with the address instead of the name.
    System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
  }

  private static final int LARGEST_BODY = 4 * 1024 * 1024;
  private static final Set<Integer> PASSING = Set.of(429, 502, 503, 504);

  private final HttpClient client;
  private final InstantSource clock;
  private final HostRules hosts;

  /** {@code hosts} decides which addresses may be called. */
  public HttpExecutor(InstantSource clock, HostRules hosts) {
    this.clock = clock;
    this.hosts = hosts;
    this.client = usual().build();
  }

  private static HttpClient.Builder usual() {
    return HttpClient.newBuilder()
        .connectTimeout(Duration.ofSeconds(10))
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER);
  }

  @Override
  public StepType type() {
    return TYPE;
  }

  @Override
  public Result execute(StepCall call) throws InterruptedException {
    try {
      HttpCall httpCall = HttpCall.of(call.config());
      return switch (hosts.judge(httpCall.target(), call.scope().grants())) {
        case Verdict.Refused(StepError error) -> new Result.Failed(error, Map.of());
        case Verdict.Allowed(List<InetAddress> addresses) -> connect(httpCall, addresses, call);
      };
    } catch (IllegalArgumentException e) {
      return Result.failed(
          "invalid-request", String.valueOf(e.getMessage()), "Check url, method, headers and tls.");
    }
  }

  private Result connect(HttpCall httpCall, List<InetAddress> addresses, StepCall call)
      throws InterruptedException {
    URI uri = httpCall.target();
    if (!uri.getScheme().equals("https")) {
      return each(client, httpCall, addresses, call);
    }
    Map<String, Object> tls = Values.map(call.config().get("tls"));
    Optional<String> name = Optional.of(uri.getHost()).filter(HttpExecutor::isName);
    SSLContext context = TlsSettings.context(tls, name);
    SSLParameters parameters = context.getDefaultSSLParameters();
    name.ifPresent(host -> parameters.setServerNames(List.of(new SNIHostName(host))));
    try (HttpClient own = usual().sslContext(context).sslParameters(parameters).build()) {
      return each(own, httpCall, addresses, call);
    }
  }

  private static boolean isName(String host) {
    return !host.startsWith("[") && !host.matches("[0-9.]+");
  }

  /** Tries the addresses in their order until one accepts the connection. */
  private Result each(
      HttpClient through, HttpCall httpCall, List<InetAddress> addresses, StepCall call)
      throws InterruptedException {
    URI uri = httpCall.target();
    String address = uri.getScheme() + "://" + uri.getAuthority() + uri.getPath();
    for (InetAddress next : addresses) {
      Duration left = Duration.between(clock.instant(), call.deadline());
      HttpRequest request = httpCall.request(next, call.key(), left, call.lease());
      call.log().line(StepLog.Stream.NOTE, request.method() + " " + address);
      try {
        return send(through, request, httpCall, call);
      } catch (ConnectException e) {
        call.log().line(StepLog.Stream.NOTE, "no connection to " + next.getHostAddress());
      }
    }
    return passing("connect", "cannot connect to " + uri.getAuthority());
  }

  private Result send(HttpClient through, HttpRequest request, HttpCall httpCall, StepCall call)
      throws InterruptedException, ConnectException {
    URI uri = httpCall.target();
    try {
      HttpResponse<InputStream> response = through.send(request, BodyHandlers.ofInputStream());
      return answer(call, response);
    } catch (HttpTimeoutException e) {
      return passing("timeout", "no answer from " + uri.getHost() + " in time" + polled(call));
    } catch (SSLException e) {
      return Result.failed(
          "tls",
          "no trusted connection to " + uri.getAuthority() + ": " + e.getMessage(),
          "The server's certificate must be valid for its name and signed by an authority that the"
              + " Java running Slipway trusts, or by the step's tls.ca.");
    } catch (ConnectException e) {
      throw e;
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("stopped while reading the answer");
      }
      call.lease().check();
      return passing(
          "connection", "the connection to " + uri.getAuthority() + " broke: " + e.getMessage());
    }
  }

  private static String polled(StepCall call) {
    Object seen = call.memory().get(Result.Parked.SEEN);
    return seen == null
        ? ""
        : "; it waited for %s (last seen: %s)"
            .formatted(
                Polling.of(Values.map(call.config().get("poll"))).waitingFor(call.secrets()), seen);
  }

  private Result answer(StepCall call, HttpResponse<InputStream> response) throws IOException {
    byte[] bytes = body(response.body(), call);
    if (bytes.length > LARGEST_BODY) {
      return Result.failed("answer-too-large", "the answer is larger than 4 MiB", null);
    }
    HttpAnswer answer = new HttpAnswer(response);
    Map<String, Object> outputs = answer.outputs(new String(bytes, StandardCharsets.UTF_8));
    int status = response.statusCode();
    call.log().line(StepLog.Stream.NOTE, "status " + status);
    if (!answer.expected(call.config().get("expectStatus"))) {
      String message =
          "status "
              + status
              + ", expected "
              + HttpAnswer.expectation(call.config().get("expectStatus"));
      // An unexpected answer may come from another server than the author meant: only its status is
      // kept.
      Map<String, Object> known = Map.of("status", (long) status);
      return PASSING.contains(status)
          ? new Result.Failed(
              StepError.passing("http-status", message, null), known, answer.retryAfter(clock))
          : new Result.Failed(StepError.permanent("http-status", message, answer.advice()), known);
    }
    Map<String, Object> poll = Values.map(call.config().get("poll"));
    if (!poll.isEmpty() && !Polling.of(poll).done(outputs)) {
      return parked(call, Polling.of(poll), outputs);
    }
    outputs.putAll(
        OutputParser.parse(
            call.step(),
            new OutputParser.Material(
                "", null, (String) outputs.get("body"), outputs.get("json"))));
    return new Result.Succeeded(outputs, Set.of());
  }

  private Result parked(StepCall call, Polling poll, Map<String, Object> outputs) {
    String seen = poll.seen(outputs, call.secrets());
    return new Result.Parked(
        clock.instant().plus(poll.interval()),
        poll.waitingFor(call.secrets()),
        Map.of(Result.Parked.SEEN, seen));
  }

  /** Reads the body; closes it at the deadline, so that a slow server cannot hold the step. */
  private byte[] body(InputStream in, StepCall call) throws IOException {
    AtomicBoolean late = new AtomicBoolean();
    Duration left = Duration.between(clock.instant(), call.deadline());
    Thread alarm =
        Thread.startVirtualThread(
            () -> {
              try {
                Thread.sleep(left.isPositive() ? left : Duration.ZERO);
                late.set(true);
                in.close();
              } catch (InterruptedException | IOException e) {
                // It was read in time, or the connection broke.
              }
            });
    try (in) {
      return in.readNBytes(LARGEST_BODY + 1);
    } catch (IOException e) {
      throw late.get() ? new HttpTimeoutException("the answer did not end in time") : e;
    } finally {
      alarm.interrupt();
    }
  }

  private static Result passing(String code, String message) {
    return new Result.Failed(
        StepError.passing(code, message, "Slipway tries again as the step's retry says."),
        Map.of());
  }
}
