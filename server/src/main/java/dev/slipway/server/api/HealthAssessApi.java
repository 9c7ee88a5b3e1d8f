package dev.slipway.server.api;

import static dev.slipway.web.Route.post;

import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.kubernetes.health.assess.Assessment;
import dev.slipway.kubernetes.health.assess.HealthRules;
import dev.slipway.kubernetes.health.assess.ManifestFile;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Route;
import java.util.List;
import java.util.function.Supplier;

/**
 * Judges manifests that the caller sends, of whatever team: no cluster is asked and nothing is
 * stored.
 */
public record HealthAssessApi(Supplier<HealthRules> rules) {
  public List<Route> routes() {
    return List.of(
        post("/api/health/assess")
            .signedIn()
            .named(
                "assessHealth",
                "The health of Kubernetes manifests by the rules of this server; changes nothing")
            .query("file", "what the answer calls the manifests; 'manifests.yaml' if not given")
            .takes(Route.Content.DOCUMENT, "Object")
            .gives(200, "one element a document, in order", "HealthAssessments")
            .is(Route.Trait.UNAUDITED)
            .by(this::assess));
  }

  private Answer assess(Call call) {
    Diagnostics diagnostics = new Diagnostics();
    ManifestFile manifests =
        ManifestFile.read(
            call.query("file").orElse("manifests.yaml"),
            call.body(),
            ManifestFile.REQUEST,
            diagnostics);
    if (diagnostics.hasErrors()) {
      throw new RefusedException(
          new Refusal.Invalid(Refusal.Invalid.Stage.UNREADABLE, diagnostics.all()));
    }
    return Answer.ok(Assessment.of(List.of(manifests), rules.get()));
  }
}
