package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.testbed.TestGitea;
import dev.slipway.testbed.TestGitea.Fault;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GiteaRepoExecutorTest {
  private static final String STAMP = "[slipway.dev/resource: " + Calls.RESOURCE + "]";

  private final TestGitea gitea = new TestGitea();

  @BeforeEach
  void people() {
    gitea.user("ann");
    gitea.user("bob");
    gitea.organisation("acme", "ann");
  }

  @AfterEach
  void stop() {
    gitea.close();
  }

  private GiteaRepoExecutor executor(String... more) {
    Map<String, Object> config = new HashMap<>();
    config.put("url", gitea.url() + "/");
    config.put("token", "ann-token");
    for (int i = 0; i < more.length; i += 2) {
      config.put(more[i], more[i + 1]);
    }
    return new GiteaRepoExecutor(() -> config, new HostRules(), InstantSource.system());
  }

  private static Map<String, Object> config(String operation, String... more) {
    Map<String, Object> config = new HashMap<>(Map.of("operation", operation, "name", "shop"));
    for (int i = 0; i < more.length; i += 2) {
      config.put(more[i], more[i + 1]);
    }
    return config;
  }

  /** Calls a step as the engine does: one that parks is called again with its memory. */
  private static Result run(GiteaRepoExecutor executor, Map<String, Object> config)
      throws InterruptedException {
    Result result = executor.execute(Calls.of("gitea-repo", config));
    while (result instanceof Result.Parked parked) {
      result = executor.execute(Calls.of("gitea-repo", config, parked.memory()));
    }
    return result;
  }

  private static Map<String, Object> outputs(Result result) {
    return ((Result.Succeeded) result).outputs();
  }

  private static StepError error(Result result) {
    return ((Result.Failed) result).error();
  }

  private long creations() {
    return gitea.calls().stream().filter(call -> call.startsWith("POST")).count();
  }

  @Test
  void a_repository_of_an_organisation_is_created_with_all_its_addresses()
      throws InterruptedException {
    Result result = run(executor(), config("create", "owner", "acme", "description", "sells"));
    assertThat(outputs(result))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "repo_id",
                1L,
                "repo_name",
                "shop",
                "repo_url",
                gitea.url() + "/acme/shop",
                "clone_url",
                gitea.url() + "/acme/shop.git",
                "ssh_url",
                "git@127.0.0.1:acme/shop.git",
                "created",
                true));
    assertThat(gitea.find("acme", "shop"))
        .containsEntry("private", true)
        .containsEntry("empty", false)
        .containsEntry("description", "sells " + STAMP);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "of another team",
        "[slipway.dev/resource: 0199a000-0000-7000-8000-00000000b0b0]",
        "%s [slipway.dev/resource: 0199a000-0000-7000-8000-00000000b0b0]",
        "[slipway.dev/adopted: 0199a000-0000-7000-8000-00000000b0b0]",
        "[slipway.dev/adopt-into: 0199a000-0000-7000-8000-00000000b0b0]"
      })
  void a_repository_without_this_resources_stamp_is_neither_taken_nor_removed(String description)
      throws InterruptedException {
    String known = description.formatted(STAMP);
    gitea.repository("acme", "Shop", known);
    for (String operation : List.of("create", "delete")) {
      StepError error = error(run(executor(), config(operation, "owner", "acme")));
      assertThat(error.code()).isEqualTo("not-ours");
      assertThat(error.kind()).isEqualTo(StepError.Kind.PERMANENT);
      assertThat(error.message()).contains("acme/shop").contains(gitea.url());
      assertThat(error.hint()).contains("[slipway.dev/adopt-into: " + Calls.RESOURCE + "]");
    }
    assertThat(gitea.find("acme", "shop")).containsEntry("description", known);
    assertThat(gitea.calls()).allMatch(call -> call.startsWith("GET"));
  }

  @Test
  void a_description_with_a_stamp_of_another_resource_gives_nothing_away()
      throws InterruptedException {
    UUID other = UUID.randomUUID();
    run(
        executor(),
        config("create", "owner", "acme", "description", "[slipway.dev/resource: " + other + "]"));
    StepCall theirs = Calls.of("gitea-repo", config("delete", "owner", "acme"));
    Result result = executor().execute(Calls.of(Optional.of(other), theirs));
    assertThat(error(result).code()).isEqualTo("not-ours");
    assertThat(outputs(run(executor(), config("create", "owner", "acme"))))
        .containsEntry("created", false);
  }

  @Test
  void a_repository_is_adopted_with_its_consent_and_a_grant_of_its_own_and_kept_at_deletion()
      throws InterruptedException {
    String consent = "old [slipway.dev/adopt-into: " + Calls.RESOURCE + "]";
    gitea.repository("acme", "shop", consent);
    Map<String, Object> create = config("create", "owner", "acme");
    for (String pattern : List.of("*", gitea.url() + "/acme/*")) {
      StepError error = error(runGranted(create, pattern));
      assertThat(error.code()).isEqualTo("not-ours");
      assertThat(error.hint()).contains("grants.repositories");
    }
    assertThat(gitea.find("acme", "shop")).containsEntry("description", consent);

    String own = gitea.url() + "/acme/shop.git";
    assertThat(outputs(runGranted(create, own))).containsEntry("created", false);
    assertThat(gitea.find("acme", "shop"))
        .containsEntry("description", "old [slipway.dev/adopted: " + Calls.RESOURCE + "]");
    assertThat(outputs(runGranted(create, "*"))).containsEntry("created", false);

    runGranted(config("delete", "owner", "acme"), "*");
    assertThat(gitea.find("acme", "shop")).containsEntry("description", "old");
    assertThat(error(runGranted(create, own)).code()).isEqualTo("not-ours");
  }

  private Result runGranted(Map<String, Object> config, String repository)
      throws InterruptedException {
    Grants grants = Grants.ofHosts("127.0.0.1").withRepositories(repository);
    return executor().execute(Calls.granted(Calls.of("gitea-repo", config), grants));
  }

  @Test
  void a_run_without_a_resource_takes_what_runs_of_its_team_and_provider_made()
      throws InterruptedException {
    gitea.repository("acme", "shop", "[slipway.dev/made-for: team-a/default/volume]");
    gitea.repository("acme", "theirs", "[slipway.dev/made-for: team-b/default/volume]");
    Map<String, Object> config = config("delete", "owner", "acme");
    StepCall call = Calls.of(Optional.empty(), Calls.of("gitea-repo", config));
    assertThat(outputs(executor().execute(call))).containsEntry("repo_id", 1L);
    config.put("name", "theirs");
    StepCall foreign = Calls.of(Optional.empty(), Calls.of("gitea-repo", config));
    assertThat(error(executor().execute(foreign)).code()).isEqualTo("not-ours");
  }

  @Test
  void nothing_is_created_or_deleted_by_a_former_owner_of_the_run() throws InterruptedException {
    RunLease lost =
        () -> {
          throw new InterruptedException("the lease has ended");
        };
    Map<String, Object> create = config("create", "owner", "acme");
    Result.Parked first = (Result.Parked) executor().execute(Calls.of("gitea-repo", create));
    StepCall late = Calls.leased(lost, Calls.of("gitea-repo", create, first.memory()));
    assertThatThrownBy(() -> executor().execute(late)).isInstanceOf(InterruptedException.class);
    assertThat(creations()).isZero();

    run(executor(), create);
    StepCall deletion = Calls.of("gitea-repo", config("delete", "owner", "acme"));
    assertThatThrownBy(() -> executor().execute(Calls.leased(lost, deletion)))
        .isInstanceOf(InterruptedException.class);
    assertThat(gitea.find("acme", "shop")).isNotEmpty();
  }

  @Test
  void private_and_auto_init_can_be_turned_off() throws InterruptedException {
    Map<String, Object> config = config("create", "owner", "acme");
    config.put("private", false);
    config.put("autoInit", "false");
    run(executor(), config);
    assertThat(gitea.find("acme", "shop"))
        .containsEntry("private", false)
        .containsEntry("empty", true);
  }

  @Test
  void without_an_owner_it_belongs_to_the_configured_one_else_to_the_user_of_the_credentials()
      throws InterruptedException {
    run(executor(), config("create"));
    assertThat(gitea.find("ann", "shop")).isNotEmpty();
    run(executor("owner", "acme"), config("create"));
    assertThat(gitea.find("acme", "shop")).isNotEmpty();
  }

  @Test
  void a_user_is_an_owner_too_and_an_administrator_may_create_for_others()
      throws InterruptedException {
    run(executor(), config("create", "owner", "ann"));
    assertThat(gitea.find("ann", "shop")).isNotEmpty();
    StepError error = error(run(executor(), config("create", "owner", "bob")));
    assertThat(error.code()).isEqualTo("gitea-forbidden");
    assertThat(error.message()).contains("bob/shop").contains("user should be the site admin");
    run(executor("token", "root-token"), config("create", "owner", "bob"));
    assertThat(gitea.find("bob", "shop")).isNotEmpty();
  }

  @Test
  void user_name_and_password_do_as_well_as_a_token() throws InterruptedException {
    GiteaRepoExecutor executor =
        executor("token", "", "username", "ann", "password", "ann-password");
    assertThat(outputs(run(executor, config("create")))).containsEntry("created", true);
  }

  @Test
  void a_repository_that_the_resource_has_already_is_a_success_that_created_nothing()
      throws InterruptedException {
    gitea.repository("acme", "Shop", "mine " + STAMP + ", as Ann wrote");
    Result result = run(executor(), config("create", "owner", "acme"));
    assertThat(outputs(result)).containsEntry("created", false).containsEntry("repo_name", "Shop");
    assertThat(creations()).isZero();
  }

  @Test
  void a_repository_that_another_client_creates_at_the_same_moment_is_not_ours()
      throws InterruptedException {
    gitea.faults(Fault.OVERTAKEN);
    assertThat(error(run(executor(), config("create", "owner", "acme"))).code())
        .isEqualTo("not-ours");
  }

  @Test
  void after_a_crash_between_creation_and_record_it_is_still_ours() throws InterruptedException {
    Map<String, Object> config = config("create", "owner", "acme");
    GiteaRepoExecutor executor = executor();
    Result.Parked parked = (Result.Parked) executor.execute(Calls.of("gitea-repo", config));
    executor.execute(Calls.of("gitea-repo", config, parked.memory()));
    Result again =
        executor.execute(Calls.recovered(Calls.of("gitea-repo", config, parked.memory())));
    assertThat(outputs(again)).containsEntry("created", true);
    assertThat(creations()).isOne();
  }

  @Test
  void after_a_crash_before_it_asked_for_anything_a_repository_is_not_ours()
      throws InterruptedException {
    gitea.repository("acme", "shop");
    StepCall call = Calls.recovered(Calls.of("gitea-repo", config("create", "owner", "acme")));
    assertThat(error(executor().execute(call)).code()).isEqualTo("not-ours");
  }

  @ParameterizedTest
  @EnumSource(names = {"BROKEN", "BUSY", "ANSWER_LOST"})
  void an_answer_that_is_lost_or_broken_is_cleared_up_by_looking(Fault fault)
      throws InterruptedException {
    gitea.faults(fault);
    assertThat(outputs(run(executor(), config("create", "owner", "acme"))))
        .containsEntry("created", true);
    assertThat(creations()).isOne(); // transient failures are not counted
  }

  @Test
  void a_server_that_stays_broken_is_given_up_as_something_that_may_pass()
      throws InterruptedException {
    gitea.faults(
        Fault.BROKEN, Fault.BROKEN, Fault.BROKEN, Fault.BROKEN, Fault.BROKEN, Fault.BROKEN);
    StepError error = error(run(executor(), config("create", "owner", "acme")));
    assertThat(error.code()).isEqualTo("gitea-away");
    assertThat(error.kind()).isEqualTo(StepError.Kind.TRANSIENT);
  }

  @Test
  void an_unreachable_host_is_a_transient_failure() throws InterruptedException {
    GiteaRepoExecutor executor = executor();
    gitea.close();
    StepError error = error(run(executor, config("create", "owner", "acme")));
    assertThat(error.code()).isEqualTo("gitea-away");
    assertThat(error.kind()).isEqualTo(StepError.Kind.TRANSIENT);
  }

  @Test
  void delete_removes_it_and_a_missing_one_is_a_success() throws InterruptedException {
    gitea.repository("acme", "shop", STAMP);
    assertThat(outputs(run(executor(), config("delete", "owner", "acme"))))
        .containsEntry("repo_id", 1L)
        .containsEntry("created", false);
    assertThat(gitea.find("acme", "shop")).isEmpty();
    assertThat(outputs(run(executor(), config("delete", "owner", "acme"))))
        .containsEntry("repo_name", "shop")
        .containsEntry("repo_id", null);
  }

  @Test
  void a_renamed_repository_is_not_taken_for_a_deleted_one() throws InterruptedException {
    gitea.repository("acme", "shop");
    gitea.rename("acme", "shop", "store");
    assertThat(error(run(executor(), config("delete", "owner", "acme"))).code())
        .isEqualTo("repository-moved");
    assertThat(gitea.find("acme", "store")).isNotEmpty();
    assertThat(outputs(run(executor(), config("create", "owner", "acme"))))
        .containsEntry("created", true);
  }

  @Test
  void rights_are_asked_for_where_they_lack() throws InterruptedException {
    gitea.repository("acme", "shop", STAMP);
    StepError refused =
        error(run(executor("token", "bob-token"), config("delete", "owner", "acme")));
    assertThat(refused.code()).isEqualTo("gitea-forbidden");
    assertThat(refused.message()).contains("delete acme/shop").contains("owner of the repo");
    StepError wrong = error(run(executor("token", "old"), config("create", "owner", "acme")));
    assertThat(wrong.code()).isEqualTo("gitea-unauthorised");
    assertThat(wrong.message()).contains("invalid username, password or token");
    StepError unknown = error(run(executor("token", "root-token"), config("create", "owner", "x")));
    assertThat(unknown.code()).isEqualTo("owner-not-found");
    assertThat(unknown.hint()).contains("owner");
  }

  @Test
  void a_name_that_gitea_refuses_is_said_with_its_words() throws InterruptedException {
    Map<String, Object> config = config("create", "owner", "acme");
    config.put("name", "shop.git");
    StepError error = error(run(executor(), config));
    assertThat(error.code()).isEqualTo("gitea-refused");
    assertThat(error.message()).contains("name is reserved [name: shop.git]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", "a/b", "a b", "", "%2e%2e", "a?b", "ä"})
  void a_name_that_leads_elsewhere_is_never_sent(String name) throws InterruptedException {
    Map<String, Object> config = config("delete", "owner", "acme");
    config.put("name", name);
    assertThat(error(run(executor(), config)).code()).isEqualTo("invalid-name");
    assertThat(
            error(run(executor(), config("delete", "owner", name.isEmpty() ? "." : name))).code())
        .isEqualTo("invalid-name");
    assertThat(gitea.calls()).isEmpty();
  }

  @Test
  void without_configuration_it_says_how_to_make_one() throws InterruptedException {
    var executor = new GiteaRepoExecutor(Map::of, new HostRules(), InstantSource.system());
    StepError error = error(executor.execute(Calls.of("gitea-repo", config("create"))));
    assertThat(error.code()).isEqualTo("gitea-not-configured");
    assertThat(error.hint()).contains("admin-config.yaml");
  }

  @Test
  void metadata_addresses_are_blocked_even_when_configured() throws InterruptedException {
    GiteaRepoExecutor executor = executor("url", "http://169.254.169.254");
    assertThat(error(executor.execute(Calls.of("gitea-repo", config("create")))).code())
        .isEqualTo("address-blocked");
  }

  @Test
  void no_credential_is_logged() throws InterruptedException {
    Lines log = new Lines();
    Map<String, Object> config = config("delete", "owner", "acme");
    Result result = executor().execute(Calls.of("gitea-repo", config, log));
    assertThat(List.of(log.all().toString(), result.toString()))
        .noneMatch(text -> text.contains("ann-token"));
    assertThat(log.all()).isNotEmpty();
  }
}
