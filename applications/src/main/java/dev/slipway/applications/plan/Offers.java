package dev.slipway.applications.plan;

import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.workflow.Parameter;
import dev.slipway.engine.workflow.Workflow;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the providers of one environment offer at this moment. */
public record Offers(Registry registry, String environment) {

  /** Who would create it. */
  public Resolution create(String type, List<String> tags) {
    return registry.resolve(type, Operation.CREATE, tags, environment);
  }

  /** The provider that made an existing resource also does its later operations. */
  public Resolution with(KnownResource resource, Operation operation) {
    return resource.provider() == null
        ? registry.resolve(resource.type(), operation, resource.tags(), environment)
        : registry.resolveWith(resource.provider(), resource.type(), operation, resource.tags());
  }

  /** Whether its provider is loaded and has no workflow that looks at it. */
  public boolean unobservable(KnownResource resource) {
    String provider = resource.provider();
    return provider != null
        && registry.provider(provider).isPresent()
        && with(resource, Operation.READ) instanceof Resolution.NotSupported;
  }

  /** Whether some provider takes workloads. */
  public Wanted.Workloads workloads() {
    return create(Wanted.WORKLOAD_TYPE, List.of()) instanceof Resolution.Found
        ? Wanted.Workloads.PROVIDED
        : Wanted.Workloads.STORED;
  }

  /** Params of a type that its workflow declares secret. */
  public Set<String> secretParams(String type) {
    return create(type, List.of()) instanceof Resolution.Found(var definition, var _)
        ? definition.workflow().parameters().stream()
            .filter(
                p -> p.secrecy() == Workflow.Secrecy.SECRET || p.type() == Parameter.Type.SECRET)
            .map(Parameter::name)
            .collect(Collectors.toUnmodifiableSet())
        : Set.of();
  }

  /** First set wins: the resource's own, the capability's, the environment's, delete. */
  public DeletionPolicy deletionPolicy(
      WantedResource wanted,
      @Nullable KnownResource known,
      Optional<DeletionPolicy> ofEnvironment) {
    return wanted
        .deletionPolicy()
        .or(() -> ofCapability(wanted, known))
        .or(() -> ofEnvironment)
        .orElse(DeletionPolicy.DELETE);
  }

  private Optional<DeletionPolicy> ofCapability(
      WantedResource wanted, @Nullable KnownResource known) {
    Resolution resolution =
        known == null || known.provider() == null
            ? create(wanted.type(), wanted.tags())
            : with(known, Operation.CREATE);
    return resolution instanceof Resolution.Found(var _, String policy) && policy != null
        ? DeletionPolicy.parse(policy)
        : Optional.empty();
  }
}
