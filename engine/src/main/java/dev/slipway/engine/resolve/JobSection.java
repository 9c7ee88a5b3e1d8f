package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Section;
import dev.slipway.engine.resolve.JobSettings.Placement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads {@code jobs} of a cluster's entry. */
final class JobSection {
  static final Pattern NAMESPACE =
      Pattern.compile("([a-z0-9]|\\{team\\})([a-z0-9-]|\\{team\\}){0,62}");
  static final Pattern IMAGE = Pattern.compile("[a-z0-9][A-Za-z0-9._/:@-]{0,400}");
  static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
  static final long LARGEST_USER = 4_294_967_294L;

  private JobSection() {}

  static Optional<JobSettings> read(Section cluster) {
    return cluster.section("jobs").map(JobSection::jobs);
  }

  private static JobSettings jobs(Section s) {
    s.only(AdminForms.CLUSTER_JOBS.names());
    JobSettings settings =
        new JobSettings(
            s.requiredMatching("image", IMAGE, "the name of an image"),
            s.stringMap("images"),
            s.requiredMatching("namespace", NAMESPACE, "a namespace"),
            s.integer("user", 1, LARGEST_USER).orElse(JobSettings.USUAL_USER),
            new Placement(
                s.matching("serviceAccount", NAME, "the name of a service account"),
                plain(s.openMap("resources")),
                s.stringMap("nodeSelector"),
                tolerations(s),
                s.strings("pullSecrets")));
    s.warnOfOtherKeys();
    return settings;
  }

  private static List<Map<String, Object>> tolerations(Section s) {
    return s.sections("tolerations").stream().map(each -> plain(each.plain())).toList();
  }

  /** Without what is written and empty. */
  private static Map<String, Object> plain(Map<String, ?> map) {
    Map<String, Object> plain = new LinkedHashMap<>();
    map.forEach(
        (key, value) -> {
          if (value != null) {
            plain.put(key, value);
          }
        });
    return plain;
  }
}
