package dev.slipway.kubernetes.watch;

import dev.slipway.engine.health.Health;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import dev.slipway.kubernetes.health.assess.HealthRules;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a watch keeps of an object: about 300 bytes with its name, and nothing of its content. What
 * is only compared is kept as a number.
 *
 * @param owner the id that its stamp names
 * @param uid a digest of it
 * @param version a digest of the resource version
 * @param fields a digest of what the server recorded that our manager owns
 * @param applied a digest of the time at which our manager changed it last; it stays when another
 *     client takes fields away from us
 * @param health by the rules; null without one
 */
record WatchedObject(
    String owner, long uid, long version, long fields, int applied, @Nullable Health health) {

  /** What makes an object ours: the key of label and annotation, and how our managers begin. */
  record Mark(String owner, String manager) {}

  static WatchedObject of(Map<String, Object> content, Mark mark, HealthRules rules) {
    Map<String, Object> metadata = Values.map(content.get("metadata"));
    StringBuilder fields = new StringBuilder();
    StringBuilder times = new StringBuilder();
    for (Map<String, Object> entry : ours(metadata, mark)) {
      fields.append(entry.get("operation")).append(Json.write(entry.get("fieldsV1")));
      times.append(entry.get("time"));
    }
    Optional<ObjectHealth> health = rules.judge(new LiveObject(content), Neighbours.NONE).health();
    return new WatchedObject(
        owner(metadata, mark),
        digest(Objects.toString(metadata.get("uid"), "")),
        digest(Objects.toString(metadata.get("resourceVersion"), "")),
        digest(fields.toString()),
        (int) digest(times.toString()),
        health.map(ObjectHealth::status).orElse(null));
  }

  private static List<Map<String, Object>> ours(Map<String, Object> metadata, Mark mark) {
    List<Map<String, Object>> ours = new ArrayList<>();
    if (metadata.get("managedFields") instanceof List<?> all) {
      for (Object each : all) {
        Map<String, Object> entry = Values.map(each);
        if (Objects.toString(entry.get("manager"), "").startsWith(mark.manager())) {
          ours.add(entry);
        }
      }
    }
    return ours;
  }

  /** The annotation has the whole id, the label a digest of one that is too long. */
  private static String owner(Map<String, Object> metadata, Mark mark) {
    Object whole = Values.map(metadata.get("annotations")).get(mark.owner());
    return Objects.toString(
        whole == null ? Values.map(metadata.get("labels")).get(mark.owner()) : whole, "");
  }

  static long digest(String text) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return ByteBuffer.wrap(sha.digest(text.getBytes(StandardCharsets.UTF_8))).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  boolean isVersion(String text) {
    return version == digest(text);
  }

  /** What one event says that another client or a controller has done to it. */
  Optional<OwnedChange.What> changedTo(WatchedObject after) {
    if (after.uid != uid) {
      return Optional.of(OwnedChange.What.DELETED);
    }
    // What our own apply changes, the run that applied it looks at.
    return after.applied == applied ? missedChange(after) : Optional.empty();
  }

  /** The same when events in between were missed: also what we have applied is looked at. */
  Optional<OwnedChange.What> missedChange(WatchedObject after) {
    if (after.uid != uid) {
      return Optional.of(OwnedChange.What.DELETED);
    }
    if (after.fields != fields) {
      return Optional.of(OwnedChange.What.FIELDS);
    }
    return after.health == health ? Optional.empty() : Optional.of(OwnedChange.What.HEALTH);
  }
}
