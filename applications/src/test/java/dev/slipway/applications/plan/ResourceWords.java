package dev.slipway.applications.plan;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.KnownResource.Dependency;
import dev.slipway.applications.plan.KnownResource.Work;
import dev.slipway.applications.score.ResourceIdentity;
import dev.slipway.engine.intake.DeletionPolicy;
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
 */
public final class ResourceWords {
  /** The application that the tables are about. */
  public static final UUID SHOP = id("shop");

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
        work() == Work.NONE ? null : id(name + "-run"),
        work(),
        dependencies(),
        words.containsKey("waits") ? id(words.get("waits")) : null,
        1);
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
