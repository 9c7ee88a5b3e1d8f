package dev.slipway.applications.plan;

import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.workflow.Parameter;
import dev.slipway.engine.workflow.Workflow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the providers of one environment offer at this moment. It is made for one request: what it
 * was asked once it remembers, since a document asks for few types many times.
 */
public final class Offers {
  private final Registry registry;
  private final String environment;
  private final Map<Asked, Resolution> creators = new ConcurrentHashMap<>();

  private record Asked(String type, List<String> tags) {}

  /** Of these providers. */
  public Offers(Registry registry, String environment) {
    this.registry = registry;
    this.environment = environment;
  }

  /** All providers. */
  public Registry registry() {
    return registry;
  }

  /** Who would create it. */
  public Resolution create(String type, List<String> tags) {
    return creators.computeIfAbsent(
        new Asked(type, tags),
        asked -> registry.resolve(asked.type(), Operation.CREATE, asked.tags(), environment));
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
