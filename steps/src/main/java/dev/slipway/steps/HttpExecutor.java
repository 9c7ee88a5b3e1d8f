package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.OutputParser;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/**
 * Calls an HTTP endpoint. Sends the step's key as {@code Idempotency-Key}, so that a repeated call
 * after a crash can be recognised by the other side; follows no redirect; talks only to hosts that
 * the provider was granted.
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
          .told(
              "Calls a URL. The host must be granted to the provider; redirects are not followed.",
              "No connection and the statuses 429, 502, 503 and 504 are transient and tried again;"
                  + " any other unexpected status fails. `Retry-After` is"
                  + " honoured, up to 15 minutes. `Idempotency-Key` carries the attempt's"
                  + " key, which an attempt repeated after a crash keeps.")
          .giving("status", "the status code")
          .giving("headers", "the answer's headers")
          .giving("body", "the answer as text")
          .giving("json", "the answer read as JSON, when it is JSON");

  private static final int LARGEST_BODY = 4 * 1024 * 1024;
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final Set<Integer> PASSING = Set.of(429, 502, 503, 504);

  private final HttpClient client;
  private final InstantSource clock;
  private final HostRules hosts;

  /** With the rules for which addresses may be called at all. */
  public HttpExecutor(InstantSource clock, HostRules hosts) {
    this.clock = clock;
    this.hosts = hosts;
    this.client = usual().build();
  }

  private static HttpClient.Builder usual() {
    return HttpClient.newBuilder()
        .connectTimeout(Duration.ofSeconds(10))
        .followRedirects(HttpClient.Redirect.NEVER);
  }

  @Override
  public StepType type() {
    return TYPE;
  }

  @Override
  public Result execute(StepCall call) throws InterruptedException {
    Map<String, Object> config = call.config();
    HttpRequest request;
    SSLContext own = null;
    try {
      HttpWish wish = HttpWish.of(config);
      StepError refused = hosts.refusal(wish.target(), call.scope().grants());
      if (refused != null) {
        return new Result.Failed(refused, Map.of());
      }
      request =
          wish.request(
              call.key(), Duration.between(clock.instant(), call.deadline()), call.lease());
      Map<String, Object> tls = Values.map(config.get("tls"));
      own = tls.isEmpty() ? null : TlsSettings.context(tls);
    } catch (IllegalArgumentException e) {
      return failed("invalid-request", e.getMessage(), "Check url, method, headers and tls.");
    }
    if (own == null) {
      return send(client, request, call);
    }
    try (HttpClient special = usual().sslContext(own).build()) {
      return send(special, request, call);
    }
  }

  private Result send(HttpClient through, HttpRequest request, StepCall call)
      throws InterruptedException {
    URI uri = request.uri();
    call.log()
        .line(
            StepLog.Stream.NOTE,
            request.method() + " " + uri.getScheme() + "://" + uri.getAuthority() + uri.getPath());
    try {
      HttpResponse<InputStream> response = through.send(request, BodyHandlers.ofInputStream());
      return answer(call, response);
    } catch (HttpTimeoutException e) {
      return passing("timeout", "no answer from " + uri.getHost() + " in time" + polled(call));
    } catch (SSLException e) {
      return failed(
          "tls",
          "no trusted connection to " + uri.getAuthority() + ": " + e.getMessage(),
          "The server's certificate must be valid for its name and signed by an authority that the"
              + " Java running Slipway trusts, or by the step's tls.ca.");
    } catch (ConnectException e) {
      return passing("connect", "cannot connect to " + uri.getAuthority());
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
      return failed("answer-too-large", "the answer is larger than 4 MiB", null);
    }
    Map<String, Object> outputs = outputs(response, new String(bytes, StandardCharsets.UTF_8));
    int status = response.statusCode();
    call.log().line(StepLog.Stream.NOTE, "status " + status);
    if (!expected(call.config().get("expectStatus"), status)) {
      String message =
          "status " + status + ", expected " + expectation(call.config().get("expectStatus"));
      return PASSING.contains(status)
          ? new Result.Failed(
              StepError.passing("http-status", message, null), outputs, retryAfter(response))
          : new Result.Failed(
              StepError.permanent("http-status", message, advice(response)), outputs);
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

  /** A body that trickles in for ever is cut off at the deadline. */
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
                // It was read in time, or has broken by itself.
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

  /** How long the other side wants to be left alone; asked for longer, it is asked again anyway. */
  private Duration retryAfter(HttpResponse<?> response) {
    String written = response.headers().firstValue("Retry-After").orElse("").strip();
    Duration asked = Duration.ZERO;
    try {
      asked =
          written.matches("\\d{1,9}")
              ? Duration.ofSeconds(Long.parseLong(written))
              : Duration.between(
                  clock.instant(),
                  ZonedDateTime.parse(written, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeParseException e) {
      // Not said, or not in a way that anybody understands.
    }
    return asked.isNegative() ? Duration.ZERO : asked.compareTo(LONGEST) > 0 ? LONGEST : asked;
  }

  private static String advice(HttpResponse<?> response) {
    return response.statusCode() / 100 == 3
        ? "No redirect is followed: call "
            + response.headers().firstValue("Location").orElse("the new address")
            + " itself, if its host is granted."
        : "See the step's output body.";
  }

  private static Map<String, Object> outputs(HttpResponse<?> response, String body) {
    Map<String, Object> headers = new TreeMap<>();
    response
        .headers()
        .map()
        .forEach((k, v) -> headers.put(k.toLowerCase(Locale.ROOT), String.join(", ", v)));
    headers.remove("set-cookie");
    Map<String, Object> outputs = new LinkedHashMap<>();
    outputs.put("status", (long) response.statusCode());
    outputs.put("headers", headers);
    outputs.put("body", body);
    try {
      outputs.put("json", body.isBlank() ? null : Json.read(body));
    } catch (IllegalArgumentException e) {
      outputs.put("json", null);
    }
    return outputs;
  }

  private static boolean expected(Object expect, int status) {
    return switch (expect) {
      case null -> status / 100 == 2;
      case List<?> list ->
          list.stream().anyMatch(e -> HttpWish.text(e).equals(String.valueOf(status)));
      default -> HttpWish.text(expect).equals(String.valueOf(status));
    };
  }

  private static String expectation(Object expect) {
    return expect == null ? "2xx" : Json.write(expect);
  }

  private static Result failed(String code, String message, String hint) {
    return new Result.Failed(StepError.permanent(code, message, hint), Map.of());
  }

  private static Result passing(String code, String message) {
    return new Result.Failed(
        StepError.passing(code, message, "Slipway tries again as the step's retry says."),
        Map.of());
  }
}
