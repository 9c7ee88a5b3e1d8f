package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.Condition;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.Optional;

/** What extends the API: aggregated services and definitions of kinds. */
final class ApiRules {
  private ApiRules() {}

  static Optional<ObjectHealth> service(LiveObject object, Neighbours others) {
    return Optional.of(
        object
            .condition("Available")
            .map(
                c ->
                    c.isTrue()
                        ? ObjectHealth.healthy(c.text())
                        : ObjectHealth.progressing(c.text()))
            .orElseGet(() -> ObjectHealth.progressing("it has no status yet")));
  }

  static Optional<ObjectHealth> definition(LiveObject object, Neighbours others) {
    return Optional.of(health(object));
  }

  private static ObjectHealth health(LiveObject object) {
    if (object.conditions().isEmpty()) {
      return ObjectHealth.progressing("it has no status yet");
    }
    Optional<Condition> terminating = object.condition("Terminating").filter(Condition::isTrue);
    if (terminating.isPresent()) {
      return ObjectHealth.progressing("it is being deleted: " + terminating.get().message());
    }
    Optional<Condition> fault =
        object
            .condition("NamesAccepted")
            .filter(Condition::isFalse)
            .or(() -> object.condition("NonStructuralSchema").filter(Condition::isTrue));
    if (fault.isPresent()) {
      return ObjectHealth.degraded(fault.get().text());
    }
    Optional<Condition> established = object.condition("Established");
    if (established.filter(Condition::isTrue).isPresent()) {
      return ObjectHealth.healthy("it is established");
    }
    return established.filter(c -> c.reason().equals("Installing")).isPresent()
        ? ObjectHealth.progressing("it is being installed")
        : ObjectHealth.degraded("it is not established");
  }
}
