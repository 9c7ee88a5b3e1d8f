package dev.slipway.kubernetes.workload;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What pods read from beside their own fields: a ConfigMap with files, a Secret with variables and
 * files that are secret, and claims. Keys in them are derived, so that no path and no name of a
 * variable has to be a key.
 */
final class PodContent {
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_.-]{1,180}");
  private static final String FILES = "files";
  private static final String SECRET_FILES = "secret-files";

  private final String name;
  private final Map<String, Object> texts = new TreeMap<>();
  private final Map<String, Object> binaries = new TreeMap<>();
  private final Map<String, Object> secrets = new TreeMap<>();
  private final Map<String, List<Object>> items = new TreeMap<>();
  private final Map<String, String> claims = new TreeMap<>();

  PodContent(String name) {
    this.name = name;
  }

  /** Puts a variable into the Secret; where to find it. */
  Map<String, Object> secretVariable(String container, String variable, String value) {
    String key = "env." + container + "." + key(variable);
    secrets.put(key, base64(value));
    return Map.of("secretKeyRef", Map.of("name", name, "key", key));
  }

  /** Puts a file into one of the two; how a container mounts it. */
  Map<String, Object> file(String container, FileContent file) {
    String key = "file." + container + "." + Sha256.hex(file.path()).substring(0, 16);
    String volume =
        switch (file) {
          case FileContent.Text text -> {
            texts.put(key, text.content());
            yield FILES;
          }
          case FileContent.Binary binary -> {
            binaries.put(key, binary.base64());
            yield FILES;
          }
          case FileContent.Secret secret -> {
            secrets.put(key, secret.base64());
            yield SECRET_FILES;
          }
        };
    Map<String, Object> item = new LinkedHashMap<>(Map.of("key", key, "path", key));
    file.mode().ifPresent(mode -> item.put("mode", mode));
    items.computeIfAbsent(volume, _ -> new ArrayList<>()).add(item);
    return Map.of("name", volume, "mountPath", file.path(), "subPath", key, "readOnly", true);
  }

  /** The volume of that claim. */
  String claim(String claim) {
    String volume = "claim-" + Sha256.hex(claim).substring(0, 8);
    claims.put(volume, claim);
    return volume;
  }

  boolean hasClaims() {
    return !claims.isEmpty();
  }

  /** The volumes of the pods. */
  List<Object> volumes() {
    List<Object> volumes = new ArrayList<>();
    items.forEach(
        (volume, keys) ->
            volumes.add(
                volume.equals(FILES)
                    ? Map.of("name", volume, "configMap", Map.of("name", name, "items", keys))
                    : Map.of("name", volume, "secret", Map.of("secretName", name, "items", keys))));
    claims.forEach(
        (volume, claim) ->
            volumes.add(
                Map.of("name", volume, "persistentVolumeClaim", Map.of("claimName", claim))));
    return volumes;
  }

  /** Data of the ConfigMap; empty when there are no files. */
  Map<String, Map<String, Object>> config() {
    Map<String, Map<String, Object>> config = new TreeMap<>();
    if (!texts.isEmpty()) {
      config.put("data", texts);
    }
    if (!binaries.isEmpty()) {
      config.put("binaryData", binaries);
    }
    return config;
  }

  /** Data of the Secret; empty when nothing is secret. */
  Map<String, Object> secret() {
    return secrets;
  }

  /** The text that changes when pods have to be replaced; it holds the secrets. */
  Optional<String> digested() {
    return config().isEmpty() && secrets.isEmpty()
        ? Optional.empty()
        : Optional.of(Json.write(List.of(config(), secrets)));
  }

  private static String key(String variable) {
    return KEY.matcher(variable).matches() ? variable : "." + Sha256.hex(variable);
  }

  static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
