package dev.slipway.kubernetes.health.assess;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.kubernetes.health.LiveObject;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Manifests of tests, read as a user's would be. */
public final class Manifests {
  private Manifests() {}

  public static List<LiveObject> read(String yaml) {
    Diagnostics diagnostics = new Diagnostics();
    ManifestFile file =
        ManifestFile.read(
            "test.yaml", yaml.getBytes(StandardCharsets.UTF_8), ManifestFile.LOCAL, diagnostics);
    if (diagnostics.hasErrors()) {
      throw new AssertionError(diagnostics.toString());
    }
    return file.objects();
  }

  public static LiveObject one(String yaml) {
    List<LiveObject> all = read(yaml);
    if (all.size() != 1) {
      throw new AssertionError(all.size() + " objects");
    }
    return all.getFirst();
  }
}
