package dev.slipway.applications.progress;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.ParamWords;
import dev.slipway.applications.plan.ResourceWords;
import dev.slipway.applications.progress.Situation.Deployment;
import dev.slipway.applications.progress.Situation.Phase;
import dev.slipway.engine.access.Caller;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where the application {@code shop} stands: a phase ({@code deploy}, {@code teardown}, {@code
 * expired}), and {@code @net}, the output that its container refers to, if any.
 */
record SituationWords(
    List<KnownResource> resources, String phase, @Nullable String container, Instant now) {

  /** When all runs have just ended. */
  SituationWords(List<KnownResource> resources, String phase, @Nullable String container) {
    this(resources, phase, container, ResourceWords.ENDED);
  }

  Situation situation() {
    return situation(Deployment.Status.RUNNING);
  }

  Situation situation(Deployment.@Nullable Status status) {
    Map<String, UUID> uses = new LinkedHashMap<>();
    for (KnownResource resource : resources) {
      if (resource.wanted() && resource.users().contains(ResourceWords.SHOP)) {
        uses.put(resource.name(), resource.id());
      }
    }
    String user = phase.equals("expired") ? Caller.TTL.user() : "ann";
    return new Situation(
        ResourceWords.SHOP,
        "shop",
        "default",
        "standard",
        Map.of(),
        phase.equals("bad-namespace") ? "{{" : null,
        "shop-team",
        phase.equals("teardown") || phase.equals("expired") ? Phase.TEARDOWN : Phase.LIVE,
        uses,
        Map.of(),
        container == null ? Map.of() : ParamWords.read(container),
        null,
        status == null ? null : new Deployment(ResourceWords.id("deploy"), status, user),
        resources,
        now);
  }
}
