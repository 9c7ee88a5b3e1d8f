package dev.slipway.kubernetes.watch;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.cluster.ApiKind;
import dev.slipway.kubernetes.cluster.ApiReply;
import dev.slipway.kubernetes.cluster.ApiRequest;
import dev.slipway.kubernetes.cluster.ApiStream;
import dev.slipway.kubernetes.cluster.ApiStream.Next;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Watches the owned objects of one kind in one cluster, on a thread of its own: lists them, then
 * follows their changes. A watch that the server ends goes on where it was; one that is too old
 * lists again; one that breaks or falls silent begins again after a pause that grows.
 */
final class ObjectWatch {
  private static final Duration LIST = Duration.ofSeconds(30);
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final int GONE = 410;

  private final Cluster cluster;
  private final ApiKind kind;
  private final Means means;
  private final OwnedObjects objects;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile WatchStatus status;

  /** Up to where changes are known; empty: all has to be listed. */
  private String version = "";

  private int failures;
  private final LongAdder requests = new LongAdder();
  private boolean bookmarked;

  /** The server answers, and sends no bookmarks. */
  private boolean quiet;

  /** What watches of a cluster share; {@code told} is called with every change of the status. */
  record Means(WatchMeans of, Consumer<OwnedChange> changes, Consumer<ObjectWatch> told) {}

  ObjectWatch(Cluster cluster, ApiKind kind, Means means) {
    this.cluster = cluster;
    this.kind = kind;
    this.means = means;
    this.objects = new OwnedObjects(kind, means.of().mark(), means.changes());
    this.status = new WatchStatus(WatchStatus.State.BEGINS, now(), "");
  }

  ApiKind kind() {
    return kind;
  }

  OwnedObjects objects() {
    return objects;
  }

  WatchStatus status() {
    return status;
  }

  long requests() {
    return requests.sum();
  }

  private Instant now() {
    return means.of().clock().instant();
  }

  /** Watches until it is closed. */
  void run() {
    while (ended.getCount() > 0 && !cluster.closed()) {
      try {
        if (version.isEmpty()) {
          list();
        }
        follow();
      } catch (ClusterDownException e) {
        lost(String.valueOf(e.getMessage()), e.waitFor());
      } catch (WatchRefusedException e) {
        refused(e);
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        version = "";
        lost(e.toString(), Duration.ZERO);
      }
    }
  }

  void close() {
    ended.countDown();
  }

  /** What a Secret holds stays in the cluster. */
  private ApiRequest request(ApiRequest.Part ofSecret) {
    return ApiRequest.get(kind.path(Optional.empty()))
        .with("labelSelector", means.of().mark().owner())
        .answering(kind.granted().equals("Secret") ? ofSecret : ApiRequest.Part.WHOLE);
  }

  private void list() throws ClusterDownException, WatchRefusedException, InterruptedException {
    OwnedObjects.Listing listing = objects.listing();
    String more = "";
    String listed;
    do {
      ApiRequest page =
          request(ApiRequest.Part.METADATA_OF_LIST)
              .with("limit", Integer.toString(means.of().page()));
      requests.increment();
      ApiReply reply = cluster.read(more.isEmpty() ? page : page.with("continue", more), LIST);
      if (!reply.ok()) {
        throw new WatchRefusedException(reply.status(), reply.message());
      }
      items(reply).forEach(item -> listing.add(Values.map(item), means.of().rules().get()));
      Map<String, Object> metadata = Values.map(reply.body().get("metadata"));
      more = Objects.toString(metadata.get("continue"), "");
      listed = Objects.toString(metadata.get("resourceVersion"), "");
    } while (!more.isEmpty());
    listing.finish();
    version = listed;
  }

  /** A list of metadata alone has null for no items. */
  private static List<?> items(ApiReply reply) throws WatchRefusedException {
    if (!reply.body().containsKey("items")) {
      throw new WatchRefusedException(reply.status(), "no list: " + reply.message());
    }
    return reply.body().get("items") instanceof List<?> items ? items : List.of();
  }

  private void follow() throws ClusterDownException, WatchRefusedException, InterruptedException {
    WatchTiming timing = means.of().timing();
    boolean wasSilent = status.state() == WatchStatus.State.SILENT;
    Instant opened = now();
    ApiRequest request =
        request(ApiRequest.Part.METADATA)
            .with("watch", "true")
            .with("allowWatchBookmarks", "true")
            .with("resourceVersion", version)
            .with("timeoutSeconds", Long.toString(Math.max(1, timing.whole().toSeconds())));
    requests.increment();
    try (ApiStream stream = cluster.open(request, timing.answer())) {
      if (stream.status() != 200) {
        throw refusal(stream);
      }
      quiet |= wasSilent && !bookmarked;
      tell(WatchStatus.State.WATCHES, "");
      read(stream, opened);
    }
  }

  private WatchRefusedException refusal(ApiStream stream) throws InterruptedException {
    StringBuilder text = new StringBuilder();
    while (stream.next(means.of().timing().answer()) instanceof Next.Line(String line)) {
      text.append(line);
    }
    String message = text.toString();
    return new WatchRefusedException(
        stream.status(), message.length() > 300 ? message.substring(0, 300) : message);
  }

  private void read(ApiStream stream, Instant opened)
      throws WatchRefusedException, InterruptedException {
    int lines = 0;
    while (ended.getCount() > 0) {
      switch (stream.next(silence())) {
        case Next.Line(String text) -> {
          lines++;
          failures = 0;
          event(Json.readMap(text));
          tell(WatchStatus.State.WATCHES, "");
        }
        case Next.Ended(String why) -> {
          Duration least = lines > 0 ? SHORTEST : means.of().timing().whole().dividedBy(2);
          if (now().isBefore(opened.plus(least))) {
            lost(why.isEmpty() ? "the server ends the watch at once" : why, Duration.ZERO);
          }
          return;
        }
        case Next.Silent() -> {
          tell(WatchStatus.State.SILENT, "nothing came for " + silence().toSeconds() + " s");
          return;
        }
      }
    }
  }

  /** Without bookmarks the end of the watch is the next sign of life. */
  private Duration silence() {
    WatchTiming timing = means.of().timing();
    return quiet && !bookmarked ? timing.whole().plus(timing.answer()) : timing.silence();
  }

  private void event(Map<String, Object> event) throws WatchRefusedException {
    Map<String, Object> object = Values.map(event.get("object"));
    switch (Objects.toString(event.get("type"), "")) {
      case "ADDED", "MODIFIED" -> objects.put(object, means.of().rules().get());
      case "DELETED" -> objects.remove(object);
      case "BOOKMARK" -> bookmarked = true;
      case "ERROR" ->
          throw new WatchRefusedException(
              object.get("code") instanceof Number code ? code.intValue() : 500,
              Objects.toString(object.get("message"), "no reason given"));
      default -> throw new IllegalStateException("unknown event " + event.get("type"));
    }
    version = Objects.toString(Values.map(object.get("metadata")).get("resourceVersion"), version);
  }

  private void tell(WatchStatus.State state, String why) {
    boolean change = status.state() != state;
    status =
        new WatchStatus(state, state == WatchStatus.State.WATCHES ? now() : status.heard(), why);
    if (change) {
      means.told().accept(this);
    }
  }

  private void refused(WatchRefusedException e) {
    version = "";
    if (e.status() == GONE) {
      rest(failures == 0 ? Duration.ZERO : means.of().timing().pause(failures));
      failures++;
      return; // lists again
    }
    if (e.lasting()) {
      tell(WatchStatus.State.REFUSED, String.valueOf(e.getMessage()));
      rest(means.of().timing().refusedPause());
    } else {
      lost(String.valueOf(e.getMessage()), Duration.ZERO);
    }
  }

  private void lost(String why, Duration least) {
    if (cluster.closed()) {
      return;
    }
    failures++;
    tell(WatchStatus.State.LOST, why);
    Duration pause = means.of().timing().pause(failures);
    rest(pause.compareTo(least) > 0 ? pause : least);
  }

  private void rest(Duration pause) {
    try {
      if (ended.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      ended.countDown();
    }
  }
}
