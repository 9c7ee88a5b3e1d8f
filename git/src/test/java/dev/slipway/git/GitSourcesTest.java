package dev.slipway.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.DefinitionSnapshot;
import dev.slipway.engine.resolve.GitAccess;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.engine.resolve.LiveRegistry;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.ProviderLoader;
import dev.slipway.engine.resolve.ProviderProblem;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.resolve.ProviderSource.Location;
import dev.slipway.engine.resolve.ProviderSource.RefKind;
import dev.slipway.engine.resolve.RemoteSources.Report;
import dev.slipway.engine.threads.Supervision;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.testbed.GitHttpServer;
import dev.slipway.testbed.GitRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitSourcesTest {
  private static final Duration NEVER = Duration.ofDays(1);
  private static final String OTHER = "c".repeat(40);

  @TempDir Path directory;
  private GitRepository repository;
  private GitHttpServer server;
  private GitSources sources;
  private LiveRegistry registry;

  @BeforeEach
  void start() throws IOException {
    repository = GitRepository.create(directory, "providers");
    server = GitHttpServer.start(directory);
  }

  @AfterEach
  void stop() {
    if (sources != null) {
      sources.close();
    }
    server.close();
  }

  /** Starts a server's sources with this one source. */
  private ProviderSource serve(ProviderSource source) {
    if (sources != null) {
      sources.close();
    }
    sources =
        new GitSources(
            directory.resolve("data"),
            GitLimits.USUAL,
            TreeLimits.USUAL,
            InstantSource.system(),
            Threads.OF_MACHINE);
    registry =
        new LiveRegistry(
                new ProviderLoader(
                    (document, diagnostics) ->
                        Optional.of(
                            new Workflow(
                                document.file(),
                                "",
                                List.of(),
                                Map.of(),
                                List.of(),
                                Map.of(),
                                List.of()))),
                List.of(source))
            .fetching(sources);
    registry.reload();
    sources.onChange(registry::reload);
    return source;
  }

  private ProviderSource source(String url, String ref, RefKind kind, @Nullable GitAccess access) {
    return new ProviderSource(
        new Location.Git(url, ref, kind, "redis", access),
        null,
        0,
        "platform",
        List.of(),
        NEVER,
        Grants.NONE);
  }

  private ProviderSource branch(String name) {
    return source(server.url(repository), name, RefKind.BRANCH, null);
  }

  private String version(String version) {
    write(version);
    return repository.commit(version);
  }

  private void write(String version) {
    repository.write(
        "redis/provider.yaml",
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: redis, version: %s}
        capabilities: {resourceTypes: [redis]}
        workflows: [{name: make, file: ./make.yaml, category: provisioner}]
        """
            .formatted(version));
    repository.write("redis/make.yaml", "kind: Workflow # " + version + "\n");
  }

  private Optional<Provider> provider() {
    return registry.current().provider("redis");
  }

  private void awaitCommit(String commit) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> provider().map(p -> commit.equals(p.commit())).orElse(false));
  }

  private String problem() {
    return registry.current().problems().stream()
        .flatMap(p -> p.diagnostics().stream())
        .map(d -> d.text())
        .reduce("", (a, b) -> a + b + "\n");
  }

  private DefinitionSnapshot pinned() {
    return DefinitionSnapshot.of(provider().orElseThrow().definitions().get("make"));
  }

  private String file(DefinitionSnapshot run) {
    sources.ensure(run);
    try {
      return Files.readString(Path.of(sources.directory(run), "make.yaml"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void a_branch_is_loaded_and_followed_without_an_empty_moment() {
    String first = version("1.0.0");
    ProviderSource source = serve(branch("main"));
    awaitCommit(first);
    registry.onSwap((before, now) -> assertThat(now.provider("redis")).isPresent());

    String second = version("2.0.0");
    sources.refresh(source);
    assertThat(provider().orElseThrow().commit()).isEqualTo(second);
    assertThat(provider().orElseThrow().manifest().version()).isEqualTo("2.0.0");
    Report report = sources.look(source);
    assertThat(report.failure()).isEmpty();
    assertThat(report.fetchedAt()).isPresent();
    assertThat(report.nextPoll()).isPresent();
  }

  @Test
  void a_branch_is_looked_at_again_by_itself() {
    awaitCommit(servedOften(version("1.0.0")));
    awaitCommit(version("2.0.0"));
  }

  private String servedOften(String commit) {
    ProviderSource slow = branch("main");
    serve(
        new ProviderSource(
            slow.location(), null, 0, "platform", List.of(), Duration.ofMillis(100), Grants.NONE));
    return commit;
  }

  @Test
  void a_run_keeps_the_files_of_its_commit_whatever_happens_to_the_branch() {
    String first = version("1.0.0");
    ProviderSource source = serve(branch("main"));
    awaitCommit(first);
    DefinitionSnapshot run = pinned();
    assertThat(run.commit()).isEqualTo(first);
    assertThat(run.directory()).as("the same for every machine").endsWith(".git#redis");

    version("2.0.0");
    sources.refresh(source);
    assertThat(file(run)).as("moved").contains("1.0.0");

    write("3.0.0");
    repository.git("checkout", "-q", "--orphan", "other");
    repository.git("add", "-A");
    repository.git("commit", "-q", "-m", "3.0.0");
    repository.git("branch", "-M", "main");
    repository.branch("main");
    repository.prune();
    sources.refresh(source);
    assertThat(provider().orElseThrow().manifest().version()).isEqualTo("3.0.0");
    assertThat(file(run)).as("force-pushed and pruned").contains("1.0.0");

    sources.tidy(Set.of(first), Set.of(), Instant.now().plusSeconds(60));
    assertThat(Path.of(sources.directory(run))).as("a run needs it").exists();
    sources.tidy(Set.of(), Set.of(), Instant.now().plusSeconds(60));
    assertThat(Path.of(sources.directory(run))).as("no run needs it").doesNotExist();
    assertThat(Path.of(sources.directory(pinned()))).as("in service").exists();
    assertThat(file(run)).as("needed after all").contains("1.0.0");

    repository.remove("refs/heads/main");
    serve(branch("main"));
    assertThat(file(run)).as("restarted, branch deleted").contains("1.0.0");
  }

  private Path repositories() {
    return directory.resolve("data/repositories");
  }

  private long copies() throws IOException {
    try (var all = Files.list(repositories())) {
      return all.count();
    }
  }

  @Test
  void the_copy_of_a_source_that_is_no_longer_configured_stays_only_while_a_run_needs_it()
      throws IOException {
    String first = version("1.0.0");
    repository.tag("v1");
    ProviderSource source = serve(source(server.url(repository), "v1", RefKind.TAG, null));
    awaitCommit(first);
    DefinitionSnapshot run = pinned();
    Instant later = Instant.now().plusSeconds(60);
    sources.tidy(Set.of(), Set.of(), later);
    assertThat(copies()).as("configured").isEqualTo(1);

    sources.keepOnly(List.of());
    sources.tidy(Set.of(), Set.of(), Instant.now().minusSeconds(60));
    assertThat(copies()).as("used a moment ago").isEqualTo(1);
    sources.tidy(Set.of(first), Set.of(), later);
    assertThat(copies()).as("a run needs it").isEqualTo(1);
    assertThat(file(run)).contains("1.0.0");
    sources.tidy(Set.of(), Set.of(first), later);
    assertThat(copies()).as("a run may be tried again").isEqualTo(1);
    assertThat(Path.of(sources.directory(run))).doesNotExist();
    assertThat(file(run)).as("when it is").contains("1.0.0");
    sources.tidy(Set.of(), Set.of(), later);
    assertThat(copies()).as("no run needs it").isZero();

    String second = version("2.0.0");
    repository.tag("v1");
    repository.prune();
    serve(source);
    awaitCommit(second);
    assertThat(sources.look(source).warnings()).as("configured again, a fresh start").isEmpty();
  }

  @Test
  void a_copy_that_cannot_be_read_keeps_no_other_and_goes_unless_a_run_needs_it() throws Exception {
    String first = version("1.0.0");
    serve(branch("main"));
    awaitCommit(first);
    sources.keepOnly(List.of());
    Instant later = Instant.now().plusSeconds(60);
    for (String broken : List.of("0000", "zzzz")) {
      Path refs = repositories().resolve(broken + ".git/refs/slipway/commits");
      Files.createDirectories(refs);
      Files.writeString(repositories().resolve(broken + ".git/config"), "[[[ no settings");
      Files.createFile(refs.resolve(OTHER));
    }

    sources.tidy(Set.of(), Set.of(OTHER), later);
    assertThat(copies()).as("those that a run needs").isEqualTo(2);

    sources.tidy(Set.of(), Set.of(), later);
    assertThat(copies()).isZero();
  }

  @Test
  void a_machine_that_never_saw_the_commit_fetches_it_by_itself() {
    String first = version("1.0.0");
    ProviderSource source = serve(branch("main"));
    awaitCommit(first);
    DefinitionSnapshot run = pinned();
    String second = version("2.0.0");
    sources.refresh(source);
    try (GitSources other =
        new GitSources(
            directory.resolve("other-machine"),
            GitLimits.USUAL,
            TreeLimits.USUAL,
            InstantSource.system(),
            Threads.OF_MACHINE)) {
      other.ensure(run);
      assertThat(Path.of(other.directory(run), "make.yaml")).content().contains("1.0.0");
      assertThat(second).isNotEqualTo(first);
    }
  }

  @Test
  void a_source_whose_thread_an_error_ends_is_known() {
    version("1.0.0");
    Supervision supervision = new Supervision(() -> {});
    try (GitSources broken =
        new GitSources(
            directory.resolve("broken"),
            GitLimits.USUAL,
            TreeLimits.USUAL,
            InstantSource.system(),
            Threads.supervised(supervision))) {
      broken.onChange(
          () -> {
            throw new NoClassDefFoundError("dev/slipway/Gone");
          });
      broken.look(branch("main"));
      await().until(() -> supervision.death().isPresent());
      assertThat(supervision.death().orElseThrow().thread()).startsWith("provider ");
    }
  }

  @Test
  void a_moved_tag_warns_and_what_was_loaded_stays_also_after_a_restart() {
    String first = version("1.0.0");
    repository.tag("v1");
    ProviderSource source = serve(source(server.url(repository), "v1", RefKind.ANY, null));
    awaitCommit(first);
    assertThat(sources.look(source).warnings()).isEmpty();

    String second = version("2.0.0");
    repository.tag("v1");
    sources.refresh(source);
    assertThat(sources.look(source).warnings())
        .singleElement()
        .asString()
        .contains("tag 'v1' was moved to " + second, first + " stays in service");
    assertThat(provider().orElseThrow().commit()).isEqualTo(first);

    serve(source);
    assertThat(provider().orElseThrow().commit()).isEqualTo(first);
    sources.refresh(source);
    assertThat(provider().orElseThrow().commit()).isEqualTo(first);
    assertThat(sources.look(source).warnings()).hasSize(1);
  }

  @Test
  void a_commit_is_fetched_once_and_never_looked_at_again() {
    String first = version("1.0.0");
    ProviderSource source = serve(source(server.url(repository), first, RefKind.COMMIT, null));
    awaitCommit(first);
    version("2.0.0");
    int asked = server.requests().size();
    sources.refresh(source);
    assertThat(server.requests()).hasSize(asked);
    assertThat(provider().orElseThrow().commit()).isEqualTo(first);
    assertThat(sources.look(source).nextPoll()).isEmpty();
  }

  @Test
  void a_tag_wins_over_a_branch_of_the_same_name_with_a_warning() {
    String tagged = version("1.0.0");
    repository.tag("stable").branch("stable");
    version("2.0.0");
    ProviderSource source = serve(source(server.url(repository), "stable", RefKind.ANY, null));
    awaitCommit(tagged);
    assertThat(sources.look(source).warnings().getFirst()).contains("a tag and a branch 'stable'");
  }

  @Test
  void a_broken_new_version_leaves_the_last_good_one_in_service_also_after_a_restart() {
    String good = version("1.0.0");
    ProviderSource source = serve(branch("main"));
    awaitCommit(good);

    repository.write("redis/provider.yaml", "kind: Nonsense\n").commit("broken");
    sources.refresh(source);
    assertThat(provider().orElseThrow().commit()).isEqualTo(good);
    assertThat(registry.current().problems().getFirst().availability())
        .isEqualTo(ProviderProblem.Availability.LAST_GOOD_VERSION);
    assertThat(problem()).contains("provider.yaml");

    serve(source);
    assertThat(provider().orElseThrow().commit()).as("after a restart").isEqualTo(good);
    String repaired = version("1.0.1");
    sources.refresh(source);
    awaitCommit(repaired);
    assertThat(registry.current().problems()).isEmpty();
  }

  @Test
  void a_server_starts_while_git_is_away_and_loads_as_soon_as_it_is_back() {
    String first = version("1.0.0");
    server.asks("robot", "not-yet");
    ProviderSource source = serve(branch("main"));
    assertThat(provider()).isEmpty();
    await().until(() -> problem().contains("asks for credentials"));
    assertThat(registry.current().problems().getFirst().availability())
        .isEqualTo(ProviderProblem.Availability.OUT_OF_SERVICE);

    ProviderSource withPassword =
        source(
            server.url(repository),
            "main",
            RefKind.BRANCH,
            new GitAccess.Password("robot", "not-yet"));
    registry.reload(List.of(withPassword));
    awaitCommit(first);
    assertThat(withPassword.toString()).doesNotContain("not-yet");

    server.fallsSilent();
    server.close();
    serve(source);
    assertThat(provider().orElseThrow().commit()).as("from the disk").isEqualTo(first);
    await().until(() -> problem().contains("cannot be reached"));
    assertThat(provider()).isPresent();
  }

  @Test
  void a_deleted_branch_is_reported_and_what_was_loaded_stays() {
    String first = version("1.0.0");
    repository.branch("work");
    ProviderSource source = serve(branch("work"));
    awaitCommit(first);
    repository.remove("refs/heads/work");
    sources.refresh(source);
    assertThat(problem()).contains("has no branch 'work'");
    assertThat(provider().orElseThrow().commit()).isEqualTo(first);
  }

  @Test
  void an_empty_repository_and_a_missing_directory_are_reported() {
    ProviderSource source = serve(source(repository.url(), "", RefKind.ANY, null));
    await().until(() -> problem().contains("is empty"));
    String first = repository.write("other/a", "1").commit("first");
    sources.refresh(source);
    assertThat(problem()).contains("commit " + first + " has no directory 'redis'");
    repository.write("redis/a", "1").commit("second");
    sources.refresh(source);
    assertThat(problem()).contains("providers.git/redis:1:1: no provider.yaml in this directory");
    assertThat(problem()).doesNotContain(directory + "/data");
  }

  @Test
  void a_directory_that_is_a_link_may_not_lead_out() throws IOException {
    repository.write("real/provider.yaml", "x");
    Files.createSymbolicLink(repository.work().resolve("redis"), Path.of("/etc"));
    repository.commit("link");
    serve(branch("main"));
    await().until(() -> problem().contains("leads out of the repository"));
  }

  @Test
  void what_a_crash_left_behind_does_not_stand_in_the_way() throws IOException {
    String first = version("1.0.0");
    ProviderSource source = serve(branch("main"));
    awaitCommit(first);
    Path copy;
    try (var all = Files.list(directory.resolve("data/repositories"))) {
      copy = all.findFirst().orElseThrow();
    }
    Files.writeString(copy.resolve("shallow.lock"), "");
    Files.writeString(copy.resolve("config.lock"), "");
    Files.writeString(copy.resolve("objects/incoming_1.pack"), "half");
    String second = version("2.0.0");
    serve(source);
    awaitCommit(second);
    assertThat(copy.resolve("objects/incoming_1.pack")).doesNotExist();
  }

  @Test
  void a_url_that_may_not_be_used_is_reported() {
    serve(source("ext::sh -c id", "main", RefKind.BRANCH, null));
    await().until(() -> problem().contains("URL is needed"));
  }
}
