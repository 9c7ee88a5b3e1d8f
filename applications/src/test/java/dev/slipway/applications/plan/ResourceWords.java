package dev.slipway.applications.plan;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.KnownResource.Dependency;
import dev.slipway.applications.plan.KnownResource.Work;
import dev.slipway.applications.score.ResourceIdentity;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.health.Stale;
import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.lifecycle.State;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Resources in the tables of cases: a name, a state, and what differs from a resource of the
 * application {@code shop} of team {@code shop-team} that was made with {@code size: 1}.
 *
 * <pre>
 * db: failed was-active reason=StepFailed params=2 needs=net queued
 * </pre>
 *
 * Several are separated by semicolons. Words: {@code queued} and {@code running} (a run), {@code
 * was-active}, {@code never-started}, {@code delete-failed}, {@code unwanted}, {@code detached},
 * {@code replacing}; with a value: {@code type}, {@code params}, {@code applied}, {@code
 * attempted}, {@code needs} and {@code needed} (by the configuration before), {@code reason},
 * {@code policy}, {@code owner}, {@code team}, {@code users}, {@code shared-with}, {@code
 * identity}, {@code by}.
 *
 * <p>The run in charge ended at {@link #ENDED}, from which seconds count, and was made half a
 * minute before, unless {@code made=0} says when. Its gate is open, unless {@code gate=closed},
 * {@code waiting} or {@code failed} (or {@code none}, of an attempt of the version before) says
 * otherwise; {@code gated=3} is when it began to wait, {@code look=7} when it asked for the last
 * look, {@code seen=Unknown@7,3} what that found and since when, and {@code stale} that it belongs
 * to no attempt.
 */
public final class ResourceWords {
  /** The application that the tables are about. */
  public static final UUID SHOP = id("shop");

  /** When the run in charge ended. */
  public static final Instant ENDED = Instant.parse("2026-03-01T10:00:00Z");

  private static final Instant MADE = ENDED.minusSeconds(30);

  private static final Set<ResourceState> ONCE_ACTIVE =
      EnumSet.of(ResourceState.ACTIVE, ResourceState.UPDATING, ResourceState.DEGRADED);

  private final String name;
  private final ResourceState state;
  private final Map<String, String> words = new LinkedHashMap<>();

  private ResourceWords(String text) {
    String[] parts = text.strip().split("[:\\s]+", 3);
    this.name = parts[0];
    this.state = ResourceState.valueOf(parts[1].toUpperCase(Locale.ROOT));
    for (String word : parts.length < 3 ? new String[0] : parts[2].split("\\s+")) {
      int sign = word.indexOf('=');
      words.put(sign < 0 ? word : word.substring(0, sign), word.substring(sign + 1));
    }
  }

  /** Ids sort like the names do. */
  public static UUID id(String name) {
    byte[] first = Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), 16);
    ByteBuffer bytes = ByteBuffer.wrap(first);
    return new UUID(bytes.getLong(), bytes.getLong());
  }

  /** The name that an id was made of. */
  public static String name(UUID id) {
    ByteBuffer bytes = ByteBuffer.allocate(16);
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    return new String(bytes.array(), StandardCharsets.UTF_8).replace("\0", "");
  }

  /** Reads several. */
  public static List<KnownResource> all(@Nullable String text) {
    return text == null ? List.of() : Arrays.stream(text.split(";")).map(t -> one(t)).toList();
  }

  /** Reads one. */
  public static KnownResource one(String text) {
    return new ResourceWords(text).resource();
  }

  private KnownResource resource() {
    boolean fresh = state == ResourceState.REQUESTED;
    boolean started = !fresh && !has("never-started");
    String type = word("type", "postgres");
    Map<UUID, String> teams = has("unused") ? Map.of() : userTeams();
    String applied = word("applied", fresh || !onceActive() ? null : "1");
    String attempted = word("attempted", applied);
    return new KnownResource(
        id(name),
        word("identity", ResourceIdentity.owned(type, "default", "shop", name).toString()),
        type,
        "default",
        name,
        id(owner()),
        id(owner()),
        word("team", owner() + "-team"),
        List.copyOf(teams.keySet()),
        teams,
        !has("unwanted"),
        has("detached"),
        has("replacing"),
        Map.of(),
        params("params", "1"),
        applied == null ? null : ParamWords.read(applied),
        applied == null ? null : ParamWords.hash(applied),
        attempted == null || attempted.equals("none") ? null : attemptedParams(attempted),
        attempted == null || attempted.equals("none") ? null : attemptedHash(attempted),
        state == ResourceState.ACTIVE ? Map.of("host", name + ".local", "port", "5432") : Map.of(),
        words.containsKey("identified") ? Map.of("name", words.get("identified")) : null,
        names("shared-with", ""),
        DeletionPolicy.valueOf(word("policy", "delete").toUpperCase(Locale.ROOT)),
        started ? word("by", "main-team") : words.get("by"),
        state,
        Instant.EPOCH,
        reason(),
        onceActive(),
        started,
        has("delete-failed"),
        1,
        fresh && work() == Work.NONE ? null : run(),
        work(),
        dependencies(),
        words.containsKey("waits") ? id(words.get("waits")) : null,
        health(type),
        1);
  }

  private ResourceHealth health(String type) {
    NodeRef node =
        new ApplicationRefs(owner(), "default")
            .resource(ResourceIdentity.owned(type, "default", owner(), name).toString());
    return new ResourceHealth(
        node,
        words.containsKey("made") ? second(words.get("made")) : MADE,
        ENDED,
        gate(),
        Optional.ofNullable(words.get("seen")).map(s -> seen(node, s)));
  }

  private Optional<GateRecord> gate() {
    String stage = words.getOrDefault("gate", "open");
    return stage.equals("none")
        ? Optional.empty()
        : Optional.of(
            new GateRecord(
                State.parse(GateRecord.Stage.class, stage),
                stage.equals("closed") ? null : second(words.getOrDefault("gated", "0")),
                words.containsKey("look") ? second(words.get("look")) : null));
  }

  /** {@code seen=Unknown@7,3}: a look that began at second 7; all have found so since second 3. */
  private Observation seen(NodeRef node, String text) {
    String[] parts = text.split("[@,]");
    Instant at = second(parts.length < 2 ? "1" : parts[1]);
    Sample sample =
        new Sample(
            node,
            Health.parse(parts[0]).orElseThrow(),
            at,
            words.containsKey("stale") ? Optional.empty() : Optional.of(run().toString()),
            ParamWords.hash(words.getOrDefault("applied", "1")),
            words.containsKey("stale") ? List.of(new Stale("sampled-after", "2", "1")) : List.of(),
            "",
            words.getOrDefault("rule", "read"));
    return new Observation(
        sample, parts.length < 3 ? at : second(parts[2]), words.containsKey("was-seen"));
  }

  private static Instant second(String text) {
    return ENDED.plusSeconds(Long.parseLong(text));
  }

  private UUID run() {
    return id(name + "-run");
  }

  private boolean has(String word) {
    return words.containsKey(word);
  }

  private @Nullable String word(String word, @Nullable String otherwise) {
    return words.getOrDefault(word, otherwise);
  }

  private List<String> names(String word, String otherwise) {
    return Arrays.stream(words.getOrDefault(word, otherwise).split(","))
        .filter(part -> !part.isEmpty())
        .toList();
  }

  /** {@code users=shop,cart/shop-team}: the team of {@code cart} is not {@code cart-team}. */
  private Map<UUID, String> userTeams() {
    Map<UUID, String> teams = new LinkedHashMap<>();
    for (String user : names("users", owner())) {
      String[] parts = user.split("/");
      teams.put(id(parts[0]), parts.length == 1 ? user + "-team" : parts[1]);
    }
    return teams;
  }

  private String owner() {
    return words.getOrDefault("owner", "shop");
  }

  private boolean onceActive() {
    return ONCE_ACTIVE.contains(state) || has("was-active");
  }

  private Work work() {
    if (has("running")) {
      return Work.STARTED;
    }
    return has("queued") ? Work.UNSTARTED : Work.NONE;
  }

  private Map<String, @Nullable Object> params(String word, String otherwise) {
    return ParamWords.read(words.getOrDefault(word, otherwise));
  }

  private static @Nullable Map<String, @Nullable Object> attemptedParams(String attempted) {
    return attempted.equals(KnownResource.DELETING) ? null : ParamWords.read(attempted);
  }

  private static String attemptedHash(String attempted) {
    return attempted.equals(KnownResource.DELETING) ? attempted : ParamWords.hash(attempted);
  }

  private @Nullable Map<String, @Nullable Object> reason() {
    String code = words.get("reason");
    if (code == null) {
      return null;
    }
    Map<String, @Nullable Object> reason = new LinkedHashMap<>();
    reason.put("code", code);
    reason.put("message", "recorded");
    return reason;
  }

  private List<Dependency> dependencies() {
    List<Dependency> all = new ArrayList<>();
    names("needs", "").forEach(on -> all.add(new Dependency(id(on), on, true)));
    names("needed", "").forEach(on -> all.add(new Dependency(id(on), on, false)));
    return all;
  }
}
