package dev.slipway.engine.resolve;

import static dev.slipway.engine.resolve.ProviderFiles.registry;
import static dev.slipway.engine.resolve.ProviderFiles.simple;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.resolve.Resolution.Conflicted;
import dev.slipway.engine.resolve.Resolution.Found;
import dev.slipway.engine.resolve.Resolution.NotSupported;
import dev.slipway.engine.resolve.Resolution.UnknownType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryTest {
  @TempDir Path root;

  private static final String REDIS =
      """
      apiVersion: v1
      kind: Provider
      metadata: {name: cache-team, version: 1.4.0, category: service}
      capabilities:
        resourceTypes: [queue]
        resourceTypeCapabilities:
          - type: redis
            deletionPolicy: retain
            operations:
              create: {workflow: make-redis}
              update:
                workflows:
                  - {name: scale-redis, tags: [scaling, fast]}
                  - {name: tune-redis, tags: [config, fast]}
                default: tune-redis
              delete: {workflow: drop-redis}
          - {type: valkey, aliasFor: redis}
          - {type: keydb, aliasFor: valkey}
      workflows:
        - {name: make-queue, file: ./w.yaml, category: provisioner}
        - {name: make-redis, file: ./w.yaml, operation: create}
        - {name: scale-redis, file: ./w.yaml, operation: update}
        - {name: tune-redis, file: ./w.yaml, operation: update}
        - {name: drop-redis, file: ./w.yaml, operation: delete}
        - {name: new-team, file: ./w.yaml, category: goldenpath}
      """;

  private static String workflow(Registry registry, String type, Operation op, String... tags) {
    Resolution found = registry.resolve(type, op, List.of(tags), "default");
    assertThat(found).isInstanceOf(Found.class);
    var definition = ((Found) found).definition();
    return registry.provider(definition.provider()).orElseThrow().definitions().entrySet().stream()
        .filter(e -> e.getValue() == definition)
        .findFirst()
        .orElseThrow()
        .getKey();
  }

  @Test
  void each_operation_has_its_own_workflow() {
    Registry registry = registry(root, REDIS, 0);
    assertThat(workflow(registry, "redis", Operation.CREATE)).isEqualTo("make-redis");
    assertThat(workflow(registry, "redis", Operation.DELETE)).isEqualTo("drop-redis");
    assertThat(registry.resolve("redis", Operation.READ, List.of(), "default"))
        .isEqualTo(new NotSupported("redis", Operation.READ, List.of("cache-team")));
  }

  @Test
  void the_workflow_with_most_of_the_wanted_tags_is_taken_and_a_tie_goes_to_the_default() {
    Registry registry = registry(root, REDIS, 0);
    assertThat(workflow(registry, "redis", Operation.UPDATE, "scaling")).isEqualTo("scale-redis");
    assertThat(workflow(registry, "redis", Operation.UPDATE, "fast")).isEqualTo("tune-redis");
    assertThat(workflow(registry, "redis", Operation.UPDATE, "fast", "scaling"))
        .isEqualTo("scale-redis");
    assertThat(workflow(registry, "redis", Operation.UPDATE)).isEqualTo("tune-redis");
    assertThat(workflow(registry, "redis", Operation.UPDATE, "other")).isEqualTo("tune-redis");
  }

  @Test
  void an_alias_of_an_alias_leads_to_the_same_workflow_and_policy() {
    Registry registry = registry(root, REDIS, 0);
    assertThat(workflow(registry, "keydb", Operation.CREATE)).isEqualTo("make-redis");
    assertThat(
            ((Found) registry.resolve("keydb", Operation.CREATE, List.of(), "x")).deletionPolicy())
        .isEqualTo("retain");
  }

  @Test
  void the_simple_form_serves_create_and_update_with_workflows_that_no_capability_names() {
    Registry registry = registry(root, REDIS, 0);
    assertThat(workflow(registry, "queue", Operation.CREATE)).isEqualTo("make-queue");
    assertThat(workflow(registry, "queue", Operation.UPDATE)).isEqualTo("make-queue");
    assertThat(registry.resolve("queue", Operation.DELETE, List.of(), "default"))
        .isInstanceOf(NotSupported.class);
  }

  @Test
  void an_unknown_type_is_answered_with_the_nearest_known_one() {
    Registry registry = registry(root, simple("database-team", "postgres"), 0);
    assertThat(registry.resolve("postgress", Operation.CREATE, List.of(), "default"))
        .isEqualTo(new UnknownType("postgress", List.of("postgres")));
    assertThat(registry.firstClaimant("postgres")).contains("database-team");
  }

  @Test
  void two_claimants_of_one_level_make_only_that_type_unusable() {
    Registry registry =
        registry(root, simple("a-team", "postgres", "s3"), 0, simple("b-team", "postgres"), 0);
    assertThat(registry.resolve("postgres", Operation.CREATE, List.of(), "default"))
        .isEqualTo(new Conflicted("postgres", 0, List.of("a-team", "b-team")));
    assertThat(registry.resolve("s3", Operation.CREATE, List.of(), "default"))
        .isInstanceOf(Found.class);
    assertThat(registry.conflicts()).hasSize(1);
    CapabilityConflict conflict = registry.conflicts().getFirst();
    assertThat(conflict.message())
        .contains("a-team (p0/provider.yaml:4:32)", "b-team (p2/provider.yaml:4:32)", "precedence");
  }

  @Test
  void a_higher_level_wins_over_a_conflict_below_and_a_conflict_above_blocks_the_fallback() {
    String[] same = {simple("a-team", "s3"), simple("b-team", "s3"), simple("c-team", "s3")};
    Registry above = registry(root.resolve("1"), same[0], 5, same[1], 0, same[2], 0);
    assertThat(above.resolve("s3", Operation.CREATE, List.of(), "default"))
        .isInstanceOf(Found.class);
    Registry below = registry(root.resolve("2"), same[0], 0, same[1], 5, same[2], 5);
    assertThat(below.resolve("s3", Operation.CREATE, List.of(), "default"))
        .isEqualTo(new Conflicted("s3", 5, List.of("b-team", "c-team")));
  }

  @Test
  void a_lower_level_is_the_fallback_for_an_operation_the_higher_one_lacks() {
    String creator =
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: creator, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - {type: s3, operations: {create: {workflow: make}}}
        workflows: [{name: make, file: w.yaml}]
        """;
    Registry registry = registry(root, creator, 5, simple("full", "s3"), 0);
    assertThat(
            ((Found) registry.resolve("s3", Operation.CREATE, List.of(), "d"))
                .definition()
                .provider())
        .isEqualTo("creator");
    assertThat(
            ((Found) registry.resolve("s3", Operation.DELETE, List.of(), "d"))
                .definition()
                .provider())
        .isEqualTo("full");
  }

  @Test
  void providers_of_different_environments_do_not_conflict() {
    Path a = ProviderFiles.write(root.resolve("a"), simple("a-team", "s3"));
    Path b = ProviderFiles.write(root.resolve("b"), simple("b-team", "s3"));
    Registry registry =
        new LiveRegistry(ProviderFiles.LOADER, List.of(in(a, "staging"), in(b, "production")))
            .reload();
    assertThat(registry.conflicts()).isEmpty();
    assertThat(
            ((Found) registry.resolve("s3", Operation.CREATE, List.of(), "production"))
                .definition()
                .provider())
        .isEqualTo("b-team");
    assertThat(registry.resolve("s3", Operation.CREATE, List.of(), "default"))
        .isInstanceOf(UnknownType.class);
  }

  private static ProviderSource in(Path path, String environment) {
    return new ProviderSource(
        new ProviderSource.Location.Directory(path),
        null,
        0,
        "platform",
        List.of(environment),
        Duration.ofMinutes(1),
        Grants.NONE);
  }

  @Test
  void a_broken_provider_keeps_its_last_good_version_and_shows_the_error() {
    Path directory = ProviderFiles.write(root.resolve("a"), simple("a-team", "s3"));
    LiveRegistry live =
        new LiveRegistry(ProviderFiles.LOADER, List.of(ProviderSource.directory(directory, 0)));
    live.reload();
    ProviderFiles.write(
        directory, simple("a-team", "s3").replace("version: 1.0.0", "version: soon"));
    Registry after = live.reload();
    assertThat(after.provider("a-team")).isPresent();
    assertThat(after.problems()).hasSize(1);
    assertThat(after.problems().getFirst().availability())
        .isEqualTo(ProviderProblem.Availability.LAST_GOOD_VERSION);
    assertThat(after.problems().getFirst().diagnostics().getFirst().text())
        .startsWith("a/provider.yaml:3:");
  }

  @Test
  void the_later_of_two_providers_with_one_name_is_rejected() {
    Registry registry = registry(root, simple("a-team", "s3"), 0, simple("a-team", "queue"), 0);
    assertThat(registry.providers()).hasSize(1);
    assertThat(registry.types()).containsExactly("s3");
    assertThat(registry.problems().getFirst().kind())
        .isEqualTo(ProviderProblem.Kind.DUPLICATE_NAME);
  }
}
