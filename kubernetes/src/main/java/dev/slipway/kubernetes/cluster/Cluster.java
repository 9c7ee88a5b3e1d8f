package dev.slipway.kubernetes.cluster;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.engine.resolve.ClusterSettings;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A cluster with its client. Its requests are tried once; who asks decides about another try. */
public final class Cluster implements AutoCloseable {
  private static final Duration LONGEST_CALL = Duration.ofSeconds(35);
  private static final int LARGEST_REPLY = 32 << 20;

  /**
   * How many requests wait for an answer at once: a cluster that accepts them and does not answer
   * holds no more steps.
   */
  private static final int MOST_AT_ONCE = 64;

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** Where nothing at all was answered for so long, the connection may lead nowhere. */
  private static final Duration SUSPICIOUS = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

  private final String name;
  private final ClusterSettings settings;
  private final String address;
  private final InstantSource clock;
  private final Outage outage = new Outage();
  private final Startup startup;
  private final ClusterClients.Pod pod;
  private final Semaphore places = new Semaphore(MOST_AT_ONCE, true);
  private final KnownKinds kinds = new KnownKinds(this);
  private final LongAdder reads = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private volatile KubernetesClient client;
  private volatile Instant connected;
  private volatile Instant answered = Instant.MIN;
  private volatile ClusterHealth health;
  private volatile boolean closed;

  /**
   * Connects with the first request.
   *
   * @throws IllegalArgumentException when the settings cannot be used
   */
  public Cluster(String name, ClusterSettings settings, InstantSource clock) {
    this(name, settings, clock, ClusterClients.Pod.OWN);
  }

  Cluster(String name, ClusterSettings settings, InstantSource clock, ClusterClients.Pod pod) {
    this.name = name;
    this.settings = settings;
    this.clock = clock;
    this.startup = new Startup(clock);
    this.pod = pod;
    this.client = ClusterClients.client(settings.access(), pod);
    this.connected = clock.instant();
    this.address = client.getMasterUrl().toString().replaceFirst("/+$", "");
    this.health =
        new ClusterHealth(
            ClusterHealth.State.UNKNOWN, Optional.empty(), "not asked yet", clock.instant());
  }

  /** Its name in the configuration. */
  public String name() {
    return name;
  }

  /** Its entry in the configuration. */
  public ClusterSettings settings() {
    return settings;
  }

  /** The kinds of objects that it has. */
  public KnownKinds kinds() {
    return kinds;
  }

  /** What the last contact showed. */
  public ClusterHealth health() {
    return health;
  }

  /** How many requests have read and changed something, in this process. */
  public long reads() {
    return reads.sum();
  }

  /** How many requests were sent that could change something. */
  public long writes() {
    return writes.sum();
  }

  /** Reads; a refusal is a reply, too. */
  public ApiReply read(ApiRequest request, Duration left)
      throws ClusterDownException, InterruptedException {
    return send(request, left, () -> {});
  }

  /**
   * Sends a request; the lease is checked right before it leaves.
   *
   * @throws ClusterDownException when there is no answer: it may have been carried out
   */
  public ApiReply send(ApiRequest request, Duration left, RunLease lease)
      throws ClusterDownException, InterruptedException {
    ApiReply reply = once(request, left, lease);
    if (!Startup.possible(reply)) {
      return reply;
    }
    if (!startup.over(once(Startup.READY, left, lease))) {
      throw new ClusterDownException(
          "cluster '" + name + "' has just started and has not read its rules yet", PATIENCE);
    }
    return once(request, left, lease);
  }

  private ApiReply once(ApiRequest request, Duration left, RunLease lease)
      throws ClusterDownException, InterruptedException {
    if (!places.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new ClusterDownException(
          "cluster '%s' has not answered %d requests yet".formatted(name, MOST_AT_ONCE), PATIENCE);
    }
    try {
      return tried(request, left, lease);
    } finally {
      places.release();
    }
  }

  private ApiReply tried(ApiRequest request, Duration left, RunLease lease)
      throws ClusterDownException, InterruptedException {
    refuseWhileDown();
    lease.check();
    return received(request, started(request, lease), left, lease);
  }

  private void refuseWhileDown() throws ClusterDownException {
    Optional<Duration> wait = outage.wait(clock.instant());
    if (wait.isPresent()) {
      throw new ClusterDownException(
          "cluster '" + name + "' did not answer a moment ago: " + health.message(), wait.get());
    }
  }

  /**
   * Begins a request whose reply goes on, such as a watch or the log of a container.
   *
   * @param answer how long the server may take to begin
   */
  public ApiStream open(ApiRequest request, Duration answer)
      throws ClusterDownException, InterruptedException {
    refuseWhileDown();
    Instant began = clock.instant();
    ApiStream stream = new ApiStream();
    CompletableFuture<HttpResponse<AsyncBody>> reply =
        client.getHttpClient().consumeBytes(http(request, () -> {}), stream);
    try {
      stream.begin(reply.get(answer.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      reply.cancel(true);
      throw unanswered(request, answer, began);
    } catch (InterruptedException e) {
      reply.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      throw down(request, words(e));
    }
    noteAnswer(stream.status());
    return stream;
  }

  private ClusterDownException unanswered(ApiRequest request, Duration waited, Instant began) {
    if (waited.compareTo(SUSPICIOUS) >= 0 && !answered.isAfter(began)) {
      reconnect(began);
    }
    return down(request, "no answer in " + waited.toMillis() + " ms");
  }

  /** Leaves its connections, unless that was done since then. */
  private void reconnect(Instant since) {
    KubernetesClient before;
    boolean answeredBefore;
    synchronized (this) {
      if (closed || connected.isAfter(since)) {
        return;
      }
      before = client;
      answeredBefore = answered.isAfter(connected);
      client = ClusterClients.client(settings.access(), pod);
      connected = clock.instant();
    }
    if (answeredBefore) {
      LOG.warn("cluster {} answers nothing over its connections, new ones are opened", name);
    }
    before.close();
  }

  private CompletableFuture<HttpResponse<byte[]>> started(ApiRequest request, RunLease lease) {
    (request.reads() ? reads : writes).increment();
    try {
      return client.getHttpClient().sendAsync(http(request, lease), byte[].class);
    } catch (UncheckedIOException e) {
      return CompletableFuture.failedFuture(new IOException(String.valueOf(e.getMessage())));
    }
  }

  private ApiReply received(
      ApiRequest request,
      CompletableFuture<HttpResponse<byte[]>> reply,
      Duration left,
      RunLease lease)
      throws ClusterDownException, InterruptedException {
    Instant began = clock.instant();
    try {
      return answered(reply.get(timeout(left).toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      reply.cancel(true);
      throw unanswered(request, timeout(left), began);
    } catch (InterruptedException e) {
      reply.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      lease.check();
      throw down(request, words(e));
    }
  }

  private static Duration timeout(Duration left) {
    Duration most = left.compareTo(LONGEST_CALL) < 0 ? left : LONGEST_CALL;
    return most.isPositive() ? most : Duration.ofMillis(1);
  }

  private HttpRequest http(ApiRequest request, RunLease lease) {
    HttpRequest.Builder http =
        client.getHttpClient().newHttpRequestBuilder().uri(address + request.target());
    request.user().ifPresent(user -> http.setHeader("Impersonate-User", user));
    http.setHeader("Accept", request.part().accept());
    request
        .body()
        .ifPresentOrElse(
            body ->
                http.method(
                    request.method().name(),
                    body.type(),
                    new LeasedStream(body.bytes(), lease),
                    body.bytes().length),
            () -> http.method(request.method().name(), "application/json", (String) null));
    return http.build();
  }

  private ApiReply answered(HttpResponse<byte[]> response) {
    noteAnswer(response.code());
    List<String> after = response.headers("Retry-After");
    return new ApiReply(response.code(), body(response.body()), after.stream().findFirst());
  }

  private void noteAnswer(int status) {
    outage.answered();
    answered = clock.instant();
    boolean refused = status == 401;
    if (refused || health.state() != ClusterHealth.State.HEALTHY) {
      note(
          refused ? ClusterHealth.State.UNAUTHORIZED : ClusterHealth.State.HEALTHY,
          refused ? "the credentials are not accepted" : "");
    }
  }

  private static Map<String, Object> body(byte[] bytes) {
    if (bytes.length > LARGEST_REPLY) {
      return Map.of("message", "the answer is larger than 32 MiB");
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    try {
      return Json.read(text) instanceof Map<?, ?> map ? Values.map(map) : Map.of();
    } catch (IllegalArgumentException e) {
      return Map.of("message", text.length() > 300 ? text.substring(0, 300) : text);
    }
  }

  private ClusterDownException down(ApiRequest request, String why) {
    note(ClusterHealth.State.UNREACHABLE, why);
    startup.failed();
    Duration wait = outage.failed(clock.instant());
    return new ClusterDownException(
        "cluster '%s' does not answer (%s %s): %s"
            .formatted(name, request.method(), request.path(), why),
        wait);
  }

  private static String words(Throwable thrown) {
    Throwable cause = thrown;
    while ((cause instanceof ExecutionException
            || cause instanceof CompletionException
            || cause instanceof IOException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }

  private void note(ClusterHealth.State state, String message) {
    health = new ClusterHealth(state, health.version(), message, clock.instant());
  }

  /** A question for the version that is under way. */
  final class Look {
    private static final ApiRequest VERSION = ApiRequest.get("/version");

    private final CompletableFuture<HttpResponse<byte[]>> reply = started(VERSION, () -> {});

    /** Notes what the answer shows. */
    void finish(Duration left) throws InterruptedException {
      try {
        ApiReply answer = received(VERSION, reply, left, () -> {});
        Optional<String> version =
            Optional.ofNullable(answer.body().get("gitVersion")).map(String::valueOf);
        health =
            new ClusterHealth(
                answer.ok() ? ClusterHealth.State.HEALTHY : ClusterHealth.State.UNAUTHORIZED,
                version.or(() -> health.version()),
                answer.ok() ? "" : answer.message(),
                clock.instant());
      } catch (ClusterDownException e) {
        // noted as unreachable
        return;
      }
    }
  }

  /** Begins to ask for the version, unless there was a contact since then. */
  Optional<Look> look(Instant since) {
    boolean fresh = health.at().isAfter(since) && health.version().isPresent();
    return fresh ? Optional.empty() : Optional.of(new Look());
  }

  /** Whether it has been replaced by one with other settings. */
  public boolean closed() {
    return closed;
  }

  @Override
  public synchronized void close() {
    closed = true;
    client.close();
  }
}
