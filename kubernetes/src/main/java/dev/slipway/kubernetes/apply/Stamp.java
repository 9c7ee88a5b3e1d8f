package dev.slipway.kubernetes.apply;

import dev.slipway.engine.value.Sha256;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The owner of objects as labels and annotations of them.
 *
 * @param owner the resource id; for runs without a resource team, environment and provider
 */
public record Stamp(
    String owner, String team, String application, String environment, String provider) {
  /** Labels and annotations below this are Slipway's own. */
  public static final String PREFIX = "slipway.dev/";

  /** The label by which the objects of an owner are found. */
  public static final String OWNER = PREFIX + "owner";

  /** How the names of field managers begin. */
  static final String MANAGER = "slipway:";

  /** On a namespace: the team that it belongs to. */
  public static final String TEAM = PREFIX + "team";

  /** Written by the people in charge of an object: the owner that may adopt it. */
  public static final String ADOPT_INTO = PREFIX + "adopt-into";

  private static final String ADOPTED = PREFIX + "adopted";
  private static final Pattern LABEL_VALUE =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

  /** Whose an object is. */
  public enum Verdict {
    OURS,
    /** Ours since it was adopted: kept when it is deleted. */
    ADOPTED,
    /** Those in charge of it let this owner adopt it. */
    CONSENTS,
    FOREIGN
  }

  /** Whose the object is. */
  public Verdict read(ClusterObject object) {
    Optional<String> stamped = object.annotation(OWNER);
    if (stamped.isPresent()) {
      return !stamped.get().equals(owner)
          ? Verdict.FOREIGN
          : object.annotation(ADOPTED).isPresent() ? Verdict.ADOPTED : Verdict.OURS;
    }
    return object.annotation(ADOPT_INTO).filter(owner::equals).isPresent()
        ? Verdict.CONSENTS
        : Verdict.FOREIGN;
  }

  /** The name under which the owner's fields are kept; two owners of one object conflict. */
  public String manager() {
    String name = MANAGER + owner;
    return name.length() <= 128 ? name : MANAGER + Sha256.hex(owner).substring(0, 40);
  }

  /** The value of label {@link #OWNER}. */
  public String label() {
    return LABEL_VALUE.matcher(owner).matches() ? owner : Sha256.hex(owner).substring(0, 40);
  }

  Map<String, String> labels() {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(OWNER, label());
    if (LABEL_VALUE.matcher(team).matches()) {
      labels.put(TEAM, team);
    }
    return labels;
  }

  Map<String, String> annotations(Verdict verdict) {
    Map<String, String> annotations = new LinkedHashMap<>();
    annotations.put(OWNER, owner);
    annotations.put(TEAM, team);
    annotations.put(PREFIX + "environment", environment);
    annotations.put(PREFIX + "provider", provider);
    if (!application.isEmpty()) {
      annotations.put(PREFIX + "application", application);
    }
    switch (verdict) {
      case ADOPTED, CONSENTS -> annotations.put(ADOPTED, "true");
      case OURS, FOREIGN -> {}
    }
    return annotations;
  }

  /** A merge patch that takes the stamp away. */
  Map<String, Object> removal(ClusterObject object) {
    Map<String, Object> labels = new LinkedHashMap<>();
    labels().keySet().forEach(key -> labels.put(key, null));
    Map<String, Object> annotations = new LinkedHashMap<>();
    annotations(Verdict.ADOPTED).keySet().forEach(key -> annotations.put(key, null));
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("uid", object.uid());
    metadata.put("labels", labels);
    metadata.put("annotations", annotations);
    return Map.of("metadata", metadata);
  }
}
