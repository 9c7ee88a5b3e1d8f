package dev.slipway.server.api;

import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.post;

import dev.slipway.engine.value.KeyRing;
import dev.slipway.postgres.SealingKey;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The ids of the keys that seal secrets, and resealing after a rotation. */
public record KeyApi(Supplier<KeyRing> keys, SealingKey recorded, Resealer resealer) {
  /** Reseals in the background. */
  public interface Resealer {
    void reseal();

    /** The progress of the last resealing. */
    Map<String, Object> progress();
  }

  public List<Route> routes() {
    return List.of(
        get("/api/admin/keys")
            .needs(Action.ADMINISTER)
            .named("showKeys", "Which keys each replica has, by their ids")
            .gives(200, "ids of keys", "Keys")
            .by(call -> Answer.ok(view())),
        post("/api/admin/keys/reseal")
            .needs(Action.ADMINISTER)
            .named("reseal", "Seal everything anew that an older key has sealed")
            .gives(202, "it is done in the background", "Keys")
            .by(this::reseal));
  }

  private Answer reseal(Call call) {
    KeyRing ring = keys.get();
    List<String> behind =
        recorded.replicas().stream()
            .filter(r -> !r.sealing().equals(ring.sealing()))
            .map(SealingKey.ReplicaKeys::replica)
            .toList();
    if (!ring.bound() || !behind.isEmpty()) {
      throw Problem.of(
              409,
              "keys-differ",
              "Not every replica seals with the same new key",
              behind.isEmpty()
                  ? "The key was never rotated. Rotate it: slipway key rotate"
                  : "Copy the key file of this replica to: " + String.join(", ", behind))
          .exception();
    }
    resealer.reseal();
    return Answer.of(202, view());
  }

  private Map<String, Object> view() {
    KeyRing ring = keys.get();
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("sealing", ring.sealing());
    out.put("opening", ring.opening());
    out.put("replicas", recorded.replicas().stream().map(KeyApi::replica).toList());
    out.put("resealing", resealer.progress());
    return out;
  }

  private static Map<String, Object> replica(SealingKey.ReplicaKeys replica) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("replica", replica.replica());
    out.put("sealing", replica.sealing());
    out.put("opening", replica.opening());
    return out;
  }
}
