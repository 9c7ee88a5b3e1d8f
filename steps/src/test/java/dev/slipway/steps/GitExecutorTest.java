package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.testbed.GitHttpServer;
import dev.slipway.testbed.GitRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Uses real repositories, by file and by the real smart HTTP backend; real git reads the result.
 */
class GitExecutorTest {
  @TempDir Path root;
  private final Lines log = new Lines();
  private final Set<Set<UUID>> retried = new HashSet<>();
  private final Map<String, Object> gitea = new HashMap<>();
  private GitRepository repository;
  private GitHttpServer http;

  @BeforeEach
  void make() throws IOException {
    repository = GitRepository.create(root, "shop");
    http = GitHttpServer.start(root);
  }

  @AfterEach
  void stop() {
    http.close();
  }

  private GitExecutor executor() {
    Workspaces workspaces =
        new Workspaces(root.resolve("data"), (run, other) -> retried.contains(Set.of(run, other)));
    return new GitExecutor(workspaces, () -> gitea, new HostRules(), InstantSource.system());
  }

  private StepCall call(Object... config) {
    Map<String, Object> all = new HashMap<>(Map.of("repository", repository.url()));
    for (int i = 0; i < config.length; i += 2) {
      all.put((String) config[i], config[i + 1]);
    }
    return Calls.of(Calls.step("git", all), all, log, Duration.ofMinutes(1));
  }

  private Map<String, Object> run(StepCall call) throws InterruptedException {
    Result result = executor().execute(call);
    assertThat(result).isInstanceOf(Result.Succeeded.class);
    return ((Result.Succeeded) result).outputs();
  }

  private StepError error(StepCall call) throws InterruptedException {
    Result result = executor().execute(call);
    assertThat(result).isInstanceOf(Result.Failed.class);
    return ((Result.Failed) result).error();
  }

  private String git(String... arguments) {
    return GitRepository.git(repository.bare(), arguments).strip();
  }

  private String show(String path) {
    return git("show", "main:" + path);
  }

  private void hook(String name, String script) throws IOException {
    Path hook = repository.bare().resolve("hooks").resolve(name);
    Files.writeString(hook, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Pushes this commit from another client during the step's first push. */
  private void overtake(String commit) throws IOException {
    hook(
        "pre-receive",
        "[ -e met ] && exit 0; touch met\n"
            + "unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES\n"
            + "git update-ref refs/heads/main "
            + commit
            + "\n");
  }

  // ---- commit

  @Test
  void files_become_a_commit_with_message_author_and_key() throws Exception {
    repository.write("apps/old.yaml", "a: 1\n").write("keep.txt", "kept").commit("first");
    StepCall call =
        call(
            "files",
            Map.of("app.yaml", "a: 2\n", "deep/list.json", List.of(1L, "x")),
            "targetPath",
            "apps/shop/",
            "message",
            "Deploy shop\n\nwith care\nSlipway-Key: of another step",
            "author",
            "Ann Lee <ann@example.org>");
    Map<String, Object> outputs = run(call);
    assertThat(outputs)
        .containsEntry("commit_sha", git("rev-parse", "main"))
        .containsEntry("branch", "main")
        .containsEntry("changed", true);
    assertThat(show("apps/shop/app.yaml")).isEqualTo("a: 2");
    assertThat(show("apps/shop/deep/list.json")).isEqualTo("[ 1, \"x\" ]");
    assertThat(show("keep.txt")).isEqualTo("kept");
    assertThat(git("log", "-1", "--format=%an <%ae> %cn|%s", "main"))
        .isEqualTo("Ann Lee <ann@example.org> Ann Lee|Deploy shop");
    assertThat(git("log", "-1", "--format=%(trailers:key=Slipway-Key,valueonly)", "main"))
        .isEqualTo(call.key());
    git("fsck", "--strict");
  }

  @Test
  void without_a_difference_nothing_is_committed() throws Exception {
    String first = repository.write("a.txt", "same").commit("first");
    assertThat(run(call("files", Map.of("a.txt", "same"))))
        .containsEntry("changed", false)
        .containsEntry("commit_sha", first);
    assertThat(git("rev-list", "--count", "main")).isEqualTo("1");
  }

  @Test
  void an_empty_repository_gets_its_first_commit() throws Exception {
    assertThat(run(call("files", Map.of("a.txt", "x"))))
        .containsEntry("changed", true)
        .containsEntry("branch", "main");
    assertThat(show("a.txt")).isEqualTo("x");
    assertThat(git("log", "-1", "--format=%an <%ae>|%s", "main"))
        .isEqualTo("slipway <slipway@localhost>|Update a.txt for guestbook");
  }

  @Test
  void a_new_branch_begins_where_the_default_branch_is() throws Exception {
    String first = repository.write("a.txt", "x").commit("first");
    run(call("files", Map.of("b.txt", "y"), "branch", "release/1"));
    assertThat(git("rev-parse", "release/1^")).isEqualTo(first);
    assertThat(git("rev-parse", "main")).isEqualTo(first);
  }

  @Test
  void null_removes_a_file_or_a_directory() throws Exception {
    repository.write("a/one", "1").write("a/two", "2").write("b", "3").write("c", "4");
    repository.commit("first");
    Map<String, Object> files = new HashMap<>();
    files.put("a", null);
    files.put("b", null);
    files.put("gone-already", null);
    assertThat(run(call("files", files))).containsEntry("changed", true);
    assertThat(git("ls-tree", "-r", "--name-only", "main")).isEqualTo("c");
    assertThat(run(call("files", files))).containsEntry("changed", false);
  }

  @Test
  void a_directory_of_the_provider_is_committed_with_its_modes() throws Exception {
    Path provider = Files.createDirectories(root.resolve("provider/manifests/bin")).getParent();
    Files.writeString(provider.resolve("app.yaml"), "a: 1\n");
    Path program = Files.writeString(provider.resolve("bin/run"), "#!/bin/sh\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    StepCall call = call("sourcePath", "manifests", "targetPath", "apps");
    run(Calls.in(provider.getParent(), call));
    assertThat(git("ls-tree", "-r", "--format=%(objectmode) %(path)", "main").lines())
        .containsExactly("100644 apps/app.yaml", "100755 apps/bin/run");
    Files.createSymbolicLink(provider.resolve("link"), Path.of("app.yaml"));
    assertThat(error(Calls.in(provider.getParent(), call)).message()).contains("'link' is a link");
    assertThat(error(Calls.in(provider, call("sourcePath", "../manifests"))).message())
        .contains("leads out");
    assertThat(error(Calls.in(provider, call("sourcePath", "/etc"))).message())
        .contains("neither in the provider nor in the run's workspace");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../x",
        "a/../b",
        ".git/config",
        "a/.GIT/hooks/x",
        "/etc/x",
        "a//b",
        "a/",
        ".",
        "",
        "a\\b",
        "git~1/x",
        ".g\u200cit/config",
        "a\nb",
        "con"
      })
  void names_that_mean_something_else_are_refused(String name) throws Exception {
    StepError error = error(call("files", Map.of(name, "x")));
    assertThat(error.code()).isEqualTo("git-unsafe-content");
    assertThat(error.kind()).isEqualTo(StepError.Kind.PERMANENT);
    assertThat(
            error(
                    call(
                        "files",
                        Map.of("x", "x"),
                        "targetPath",
                        name.isEmpty() ? ".." : name + "/.."))
                .code())
        .isEqualTo("git-unsafe-content");
  }

  @Test
  void a_link_or_a_directory_of_the_repository_is_not_replaced() throws Exception {
    Files.createSymbolicLink(repository.work().resolve("link"), Path.of("elsewhere"));
    repository.write("dir/file", "x").commit("first");
    for (String path : List.of("link", "link/x", "dir", "dir/file/x")) {
      assertThat(error(call("files", Map.of(path, "y"))).code()).as(path).isEqualTo("git-conflict");
    }
  }

  @Test
  void without_anything_to_commit_it_says_so() throws Exception {
    assertThat(error(call()).message()).contains("files or sourcePath");
  }

  // ---- concurrent writers

  @Test
  void two_writers_lose_nothing() throws Exception {
    repository.write("README", "x").commit("first");
    List<CompletableFuture<Void>> writers =
        List.of("a", "b").stream()
            .map(name -> CompletableFuture.runAsync(() -> commits(name, 20)))
            .toList();
    writers.forEach(CompletableFuture::join);
    assertThat(git("rev-list", "--count", "main")).isEqualTo("41");
    assertThat(git("ls-tree", "-r", "--name-only", "main").lines()).hasSize(41);
    git("fsck", "--strict");
  }

  private void commits(String name, int count) {
    try {
      for (int i = 0; i < count; i++) {
        StepCall call = call("files", Map.of(name + "/" + i, "by " + name));
        Result result = executor().execute(call);
        while (result instanceof Result.Failed failed
            && failed.error().kind() == StepError.Kind.TRANSIENT) {
          result = executor().execute(Calls.recovered(call)); // as the engine retries
        }
        assertThat(result).isInstanceOf(Result.Succeeded.class);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_push_that_others_overtook_is_put_on_top_of_theirs() throws Exception {
    repository.write("a", "1\n2\n3\n4\n5\n6\n").commit("first");
    String theirs = repository.branch("other").write("a", "1\n2\n3\n4\n5\nsix\n").commit("theirs");
    overtake(theirs);
    Map<String, Object> outputs =
        run(call("repository", http.url(repository), "files", Map.of("a", "one\n2\n3\n4\n5\n6\n")));
    assertThat(show("a")).isEqualTo("one\n2\n3\n4\n5\nsix");
    assertThat(git("rev-parse", "main^")).isEqualTo(theirs);
    assertThat(outputs).containsEntry("commit_sha", git("rev-parse", "main"));
    assertThat(log.all())
        .anyMatch(line -> line.contains("main has newer commits from another push"));
  }

  @Test
  void what_others_did_just_the_same_need_not_be_done_again() throws Exception {
    repository.write("a", "1").commit("first");
    String theirs = repository.branch("other").write("a", "2").commit("theirs");
    overtake(theirs);
    assertThat(run(call("repository", http.url(repository), "files", Map.of("a", "2"))))
        .containsEntry("changed", false)
        .containsEntry("commit_sha", theirs);
  }

  @Test
  void the_same_lines_changed_by_others_are_a_conflict() throws Exception {
    repository.write("a", "1").commit("first");
    String theirs = repository.branch("other").write("a", "theirs").commit("theirs");
    overtake(theirs);
    StepError error = error(call("repository", http.url(repository), "files", Map.of("a", "ours")));
    assertThat(error.code()).isEqualTo("git-conflict");
    assertThat(error.kind()).isEqualTo(StepError.Kind.PERMANENT);
    assertThat(error.message()).contains("the same lines of a in");
    assertThat(git("rev-parse", "main")).isEqualTo(theirs);
  }

  @Test
  void after_five_times_on_top_of_others_it_gives_up_for_now() throws Exception {
    repository.write("a", "1").commit("first");
    hook(
        "pre-receive",
        "echo x >> met\n"
            + "unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES\n"
            + "export GIT_AUTHOR_NAME=o GIT_AUTHOR_EMAIL=o GIT_COMMITTER_NAME=o"
            + " GIT_COMMITTER_EMAIL=o\n"
            + "git update-ref refs/heads/main $(git commit-tree main^{tree} -p main -m other)\n");
    StepError error = error(call("repository", http.url(repository), "files", Map.of("a", "2")));
    assertThat(error.code()).isEqualTo("git-overtaken");
    assertThat(error.kind()).isEqualTo(StepError.Kind.TRANSIENT);
    assertThat(Files.readAllLines(repository.bare().resolve("met"))).hasSize(6);
    assertThat(show("a")).isEqualTo("1");
  }

  // ---- recovery

  @Test
  void after_a_crash_between_push_and_record_nothing_is_committed_twice() throws Exception {
    repository.write("a", "1").commit("first");
    StepCall call = call("files", Map.of("a", "2"));
    Object sha = run(call).get("commit_sha");
    repository.git("pull", "-q", "--ff-only", "origin", "main");
    repository.write("a", "3").commit("a later commit");
    assertThat(run(Calls.recovered(call)))
        .containsEntry("commit_sha", sha)
        .containsEntry("changed", true);
    assertThat(git("rev-list", "--count", "main")).isEqualTo("3");
    assertThat(show("a")).isEqualTo("3");
    assertThat(run(Calls.again(call))).containsEntry("commit_sha", sha);
  }

  @Test
  void after_a_crash_before_the_push_it_is_done() throws Exception {
    repository.write("a", "1").commit("first");
    run(call("files", Map.of("a", "of another run")));
    assertThat(run(Calls.recovered(call("files", Map.of("a", "2")))))
        .containsEntry("changed", true);
    assertThat(git("rev-list", "--count", "main")).isEqualTo("3");
  }

  @Test
  void a_push_that_arrived_and_whose_answer_was_lost_counts() throws Exception {
    repository.write("a", "1").commit("first");
    hook("post-receive", "kill -9 $PPID\n");
    Map<String, Object> outputs =
        run(call("repository", http.url(repository), "files", Map.of("a", "2")));
    assertThat(outputs)
        .containsEntry("changed", true)
        .containsEntry("commit_sha", git("rev-parse", "main"));
    assertThat(git("rev-list", "--count", "main")).isEqualTo("2");
  }

  @Test
  void a_push_that_broke_before_it_arrived_may_be_tried_again() throws Exception {
    repository.write("a", "1").commit("first");
    hook("pre-receive", "kill -9 $PPID\n");
    StepError error = error(call("repository", http.url(repository), "files", Map.of("a", "2")));
    assertThat(error.kind()).isEqualTo(StepError.Kind.TRANSIENT);
    assertThat(git("rev-list", "--count", "main")).isEqualTo("1");
  }

  // ---- refusals and faults

  @Test
  void a_hook_that_refuses_is_quoted() throws Exception {
    repository.write("a", "1").commit("first");
    hook("update", "echo 'main is protected: open a pull request' >&2; exit 1\n");
    StepError error = error(call("repository", http.url(repository), "files", Map.of("a", "2")));
    assertThat(error.code()).isEqualTo("git-rejected");
    assertThat(error.kind()).isEqualTo(StepError.Kind.PERMANENT);
    assertThat(error.message())
        .contains("refuses the push to main")
        .contains("hook declined")
        .contains("main is protected: open a pull request");
  }

  @Test
  void an_unreachable_host_is_transient_and_a_missing_repository_is_not() throws Exception {
    StepError missing =
        error(call("repository", http.base() + "/nothing.git", "files", Map.of("a", "1")));
    assertThat(missing.code()).isEqualTo("git-no-repository");
    assertThat(missing.kind()).isEqualTo(StepError.Kind.PERMANENT);
    String url = http.url(repository);
    http.close();
    StepError away = error(call("repository", url, "files", Map.of("a", "1")));
    assertThat(away.code()).isEqualTo("git-unreachable");
    assertThat(away.kind()).isEqualTo(StepError.Kind.TRANSIENT);
  }

  @Test
  void only_granted_hosts_are_used_and_files_only_when_granted() throws Exception {
    StepCall call = call("files", Map.of("a", "1"));
    assertThat(error(Calls.granted(call, Grants.NONE)).code()).isEqualTo("host-not-granted");
    Grants all = Grants.ofHosts("*");
    assertThat(error(Calls.granted(call, all)).hint()).contains("file://");
    for (String url : List.of("https://elsewhere.example/x.git", "git@elsewhere.example:x.git")) {
      assertThat(error(call("repository", url, "files", Map.of("a", "1"))).code())
          .isEqualTo("host-not-granted");
    }
    StepCall metadata =
        call("repository", "http://169.254.169.254/x.git", "files", Map.of("a", "1"));
    assertThat(error(Calls.granted(metadata, all)).code()).isEqualTo("address-blocked");
    assertThat(error(call("repository", "ext::sh -c id", "files", Map.of("a", "1"))).code())
        .isEqualTo("git-url-refused");
  }

  @Test
  void only_granted_repositories_are_used() throws Exception {
    StepCall call = call("repository", http.url(repository), "files", Map.of("a", "1"));
    Grants hosts = Grants.ofHosts("127.0.0.1", "localhost");
    for (String other : List.of("https://elsewhere.example/*", http.base() + "/other/*")) {
      StepError error = error(Calls.granted(call, hosts.withRepositories(other)));
      assertThat(error.code()).isEqualTo("repository-not-granted");
      assertThat(error.hint()).contains("grants.repositories");
    }
    assertThat(run(Calls.granted(call, hosts.withRepositories(http.url(repository)))))
        .containsEntry("changed", true);
  }

  @Test
  void credentials_come_from_the_step_or_from_the_configured_gitea() throws Exception {
    http.asks("git", "hunter22");
    Object[] config = {"repository", http.url(repository), "files", Map.of("a", "1")};
    assertThat(error(call(config)).code()).isEqualTo("git-authentication");
    Object[] wrong = Arrays.copyOf(config, 6);
    wrong[4] = "credentials";
    wrong[5] = "swordfish";
    StepError refused = error(call(wrong));
    assertThat(refused.code()).isEqualTo("git-authentication");
    wrong[5] = Map.of("token", "hunter22");
    assertThat(run(call(wrong))).containsEntry("changed", true);
    gitea.putAll(Map.of("url", http.base() + "/", "token", "hunter22"));
    StepCall bare = Calls.granted(call(config), Grants.NONE.withRepositories(http.base() + "/*"));
    assertThat(run(bare)).containsEntry("changed", false);
    gitea.put("url", "http://127.0.0.1:1/");
    assertThat(error(call(config)).code()).isEqualTo("git-authentication");
    assertThat(log.all() + refused.toString())
        .doesNotContain("hunter22")
        .doesNotContain("swordfish");
  }

  @Test
  void a_step_whose_git_server_hangs_can_be_interrupted() throws Exception {
    http.fallsSilent();
    StepCall call = call("repository", http.url(repository), "files", Map.of("a", "1"));
    AtomicReference<Object> ended = new AtomicReference<>();
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    ended.set(executor().execute(call));
                  } catch (InterruptedException e) {
                    ended.set(e);
                  }
                });
    await().until(() -> !http.requests().isEmpty());
    thread.interrupt();
    assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
    assertThat(ended.get()).isInstanceOf(InterruptedException.class);
  }

  // ---- tag

  @Test
  void a_tag_is_made_once_and_never_moved() throws Exception {
    String first = repository.write("a", "1").commit("first");
    StepCall call = call("operation", "tag", "tag", "v1", "message", "Version 1");
    assertThat(run(call))
        .containsEntry("commit_sha", first)
        .containsEntry("branch", "main")
        .containsEntry("changed", true);
    assertThat(git("cat-file", "-t", "v1")).isEqualTo("tag");
    assertThat(git("log", "-1", "--format=%H", "v1")).isEqualTo(first);
    assertThat(run(Calls.recovered(call))).containsEntry("changed", true);
    assertThat(run(call("operation", "tag", "tag", "v1"))).containsEntry("changed", false);
    repository.write("a", "2").commit("second");
    StepError moved = error(call("operation", "tag", "tag", "v1"));
    assertThat(moved.code()).isEqualTo("git-rejected");
    assertThat(moved.message()).contains("the tag v1").contains(first);
    assertThat(run(call("operation", "tag", "tag", "v1", "commit", first)))
        .containsEntry("changed", false);
    assertThat(error(call("operation", "tag", "tag", "a b")).message()).contains("name of a tag");
  }

  @Test
  void an_older_commit_can_be_tagged_over_http() throws Exception {
    String first = repository.write("a", "1").commit("first");
    repository.write("a", "2").commit("second");
    run(call("operation", "tag", "repository", http.url(repository), "tag", "v0", "commit", first));
    assertThat(git("log", "-1", "--format=%H", "v0")).isEqualTo(first);
    git("fsck", "--strict");
  }

  // ---- clone

  @Test
  void a_clone_gives_its_files_to_later_steps_of_the_run() throws Exception {
    String first = repository.write("app/a.txt", "1").write("b.txt", "2").commit("first");
    StepCall call = call("operation", "clone", "repository", http.url(repository));
    Map<String, Object> outputs = run(call);
    assertThat(outputs)
        .containsEntry("commit_sha", first)
        .containsEntry("branch", "main")
        .containsEntry("changed", false);
    Path files = Path.of(String.valueOf(outputs.get("path")));
    assertThat(files.resolve("app/a.txt")).hasContent("1");
    assertThat(files.resolve(".git")).doesNotExist();
    Files.writeString(files.resolve("app/a.txt"), "changed");
    Map<String, Object> config =
        Map.of("repository", repository.url(), "sourcePath", files + "/app", "targetPath", "app");
    assertThat(run(Calls.inRun(call, config))).containsEntry("changed", true);
    assertThat(show("app/a.txt")).isEqualTo("changed");
    StepCall retry = call("sourcePath", files + "/b.txt");
    retried.add(Set.of(call.run(), retry.run()));
    assertThat(run(retry)).containsEntry("changed", false);
    assertThat(error(call("sourcePath", root.resolve("data").toString())).message())
        .contains("neither in the provider nor in the run's workspace");
    assertThat(
            error(
                    Calls.inRun(
                        call, Map.of("repository", repository.url(), "sourcePath", files + "/x")))
                .message())
        .contains("clone again");
    assertThat(run(Calls.recovered(call)).get("path")).isEqualTo(files.toString());
    assertThat(files.resolve("app/a.txt")).hasContent("changed");
  }

  @Test
  void the_workspace_of_another_run_of_the_same_provider_cannot_be_committed() throws Exception {
    repository.write("secret.txt", "theirs").commit("first");
    Path theirs =
        Path.of(
            String.valueOf(
                run(call("operation", "clone", "repository", repository.url())).get("path")));
    StepCall clone = call("operation", "clone");
    Path ours = Path.of(String.valueOf(run(clone).get("path")));
    Files.createSymbolicLink(ours.resolve("link"), theirs);
    Files.createSymbolicLink(ours.resolve("file"), theirs.resolve("secret.txt"));
    for (Path asked :
        List.of(
            theirs,
            theirs.resolve("secret.txt"),
            ours.resolve("../../" + theirs.getParent().getFileName() + "/do-it"),
            theirs.getParent().getParent(),
            theirs.getParent().getParent().resolve("none"),
            ours.resolve("link"),
            ours.resolve("link/secret.txt"),
            ours.resolve("file"))) {
      Map<String, Object> config =
          Map.of("repository", repository.url(), "sourcePath", asked.toString(), "targetPath", "x");
      StepError error = error(Calls.inRun(clone, config));
      assertThat(error.code()).as("%s", asked).isEqualTo("invalid-config");
      assertThat(error.message())
          .containsAnyOf("nor in the run's workspace", "leads out of the workspace");
    }
    assertThat(git("ls-tree", "-r", "--name-only", "main")).isEqualTo("secret.txt");
  }

  @Test
  void a_clone_is_not_written_through_a_link_that_an_earlier_step_left() throws Exception {
    repository.write("a", "1").commit("first");
    StepCall clone = call("operation", "clone");
    Path ours = Path.of(String.valueOf(run(clone).get("path")));
    Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
    Files.createSymbolicLink(ours.resolve("link"), elsewhere);
    for (String asked : List.of("do-it/link/x", "do-it/link/deep/x")) {
      Map<String, Object> config =
          Map.of("repository", repository.url(), "operation", "clone", "targetPath", asked);
      assertThat(error(Calls.inRun(clone, config)).message()).contains("leads through a link");
    }
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void the_address_that_was_judged_is_the_one_that_is_connected_to() throws Exception {
    String first = repository.write("a", "1").commit("first");
    String port = http.base().replaceAll(".*:", "");
    // A second lookup would give an address of this machine without a listener.
    String name =
        TestNames.changing(
            "turncoat.git.test", List.of(List.of("127.0.0.1"), List.of("127.9.9.9")));
    String url = "http://" + name + ":" + port + "/" + repository.bare().getFileName();
    StepCall call = call("operation", "clone", "repository", url);
    Grants grants = Grants.ofHosts(name, "127.0.0.1").withRepositories("*");
    assertThat(run(Calls.granted(call, grants))).containsEntry("commit_sha", first);
    assertThat(http.requests()).isNotEmpty();

    String back =
        TestNames.changing("back.git.test", List.of(List.of("10.1.2.3"), List.of("127.0.0.1")));
    int before = http.requests().size();
    StepCall rebound = call("operation", "clone", "repository", url.replace(name, back));
    assertThat(error(Calls.granted(rebound, Grants.ofHosts("*").withRepositories("*"))).code())
        .isEqualTo("private-address");
    assertThat(http.requests()).hasSize(before);
  }

  @Test
  void a_clone_takes_a_branch_a_tag_or_a_commit_and_stays_in_its_workspace() throws Exception {
    String first = repository.write("a", "1").commit("first");
    repository.tag("v1").write("a", "2").commit("second");
    for (String ref : List.of("v1", first)) {
      assertThat(run(call("operation", "clone", "branch", ref))).containsEntry("commit_sha", first);
    }
    assertThat(error(call("operation", "clone", "branch", "mian")).hint()).contains("main");
    assertThat(error(call("operation", "clone", "targetPath", "../x")).code())
        .isEqualTo("git-unsafe-content");
  }
}
