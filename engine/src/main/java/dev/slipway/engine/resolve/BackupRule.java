package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds params that turn backups off, however deep they are and however they are spelled. */
public final class BackupRule {
  /** The key of the policy. */
  public static final String POLICY = "policies.enforceBackups";

  private static final Set<String> SWITCHES =
      Set.of(
          "backup", "backups", "backupenabled", "backupsenabled", "enablebackup", "enablebackups");
  private static final Set<String> INVERTED =
      Set.of("disablebackup", "disablebackups", "backupdisabled", "backupsdisabled");
  private static final Set<String> OFF =
      Set.of("false", "off", "no", "none", "disabled", "never", "0", "f", "n", "");
  private static final Set<String> ON = Set.of("true", "on", "yes", "1", "t", "y", "enabled");

  private BackupRule() {}

  /** Where in these params backups are turned off. */
  public static List<Path> turnedOff(Map<String, @Nullable Object> params) {
    List<Path> found = new ArrayList<>();
    search(Path.ROOT, params, found);
    return found;
  }

  static Optional<Breach> breach(Map<String, @Nullable Object> params) {
    List<Path> found = turnedOff(params);
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Breach.of(
                POLICY,
                "'" + found.getFirst() + "' turns backups off, which is not allowed",
                "Remove it, or turn it on."));
  }

  private static void search(Path path, @Nullable Object value, List<Path> found) {
    switch (value) {
      case Map<?, ?> map ->
          map.forEach(
              (key, below) -> {
                Path here = path.child(String.valueOf(key));
                if (forbids(String.valueOf(key), below)) {
                  found.add(here);
                } else {
                  search(here, below, found);
                }
              });
      case List<?> list -> {
        for (int i = 0; i < list.size(); i++) {
          search(path.child(i), list.get(i), found);
        }
      }
      case null, default -> {}
    }
  }

  private static boolean forbids(String key, @Nullable Object value) {
    String word = key.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
    return SWITCHES.contains(word) && off(value) || INVERTED.contains(word) && says(ON, value);
  }

  private static boolean off(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map ->
          map.entrySet().stream()
              .anyMatch(
                  e ->
                      e.getKey().equals("enabled") && off(e.getValue())
                          || e.getKey().equals("disabled") && says(ON, e.getValue()));
      case List<?> _ -> false;
      case null -> true;
      default -> says(OFF, value);
    };
  }

  private static boolean says(Set<String> words, @Nullable Object value) {
    return switch (value) {
      case Boolean flag -> words.contains(flag.toString());
      case Number number -> words.contains(number.toString().replaceAll("\\.0+$", ""));
      case String text -> words.contains(text.strip().toLowerCase(Locale.ROOT));
      case null, default -> false;
    };
  }
}
