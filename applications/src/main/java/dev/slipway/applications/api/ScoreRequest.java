package dev.slipway.applications.api;

import dev.slipway.applications.store.Applications.DeployRequest;
import dev.slipway.web.Call;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.RouteDraft;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A Score document with the parameters that come with it. */
final class ScoreRequest {
  private ScoreRequest() {}

  static RouteDraft parameters(RouteDraft draft) {
    return draft
        .query(
            "environment", "where to deploy; else the one that the document names, else 'default'")
        .query("team", "owner of a new application; needed by members of several teams")
        .query("file", "what diagnostics call the document; 'score.yaml' if not given")
        .query("image", Route.Parameter.Kind.TEXTS, "container=reference for an image of '.'")
        .query("planHash", "refuse with 409 unless exactly this plan would be carried out")
        .query(
            "replace", Route.Parameter.Kind.TEXTS, "a resource that may be deleted and made anew")
        .query(
            "orphan", Route.Parameter.Kind.TEXTS, "a removed resource whose object is left alone");
  }

  static DeployRequest of(Call call, DeployRequest.Mode mode, Optional<Long> ifVersion) {
    return new DeployRequest(
        call.body(),
        call.query("file").orElse("score.yaml"),
        call.query("environment"),
        call.query("team"),
        images(call),
        call.query("planHash"),
        mode,
        new HashSet<>(call.queries("replace")),
        new HashSet<>(call.queries("orphan")),
        ifVersion);
  }

  private static Map<String, String> images(Call call) {
    Map<String, String> images = new LinkedHashMap<>();
    for (String pair : call.queries("image")) {
      int equals = pair.indexOf('=');
      if (equals < 1 || equals == pair.length() - 1) {
        throw Problem.badRequest(
                "The parameter 'image' is container=reference, not '" + pair + "'.")
            .exception();
      }
      images.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return images;
  }
}
