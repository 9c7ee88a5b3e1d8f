package dev.slipway.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.slipway.git.GitFailure.Kind;
import dev.slipway.git.RemoteRefs.Among;
import dev.slipway.git.RemoteRefs.Found;
import dev.slipway.testbed.GitHttpServer;
import dev.slipway.testbed.GitRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class RemoteTest {
  private static final GitLimits SHORT =
      new GitLimits(Duration.ofSeconds(20), Duration.ofSeconds(10), 1 << 18, 1 << 16);

  @TempDir Path directory;
  private GitRepository repository;
  private GitHttpServer server;

  @BeforeEach
  void start() throws IOException {
    repository = GitRepository.create(directory, "providers");
    server = GitHttpServer.start(directory);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Remote remote(String url, GitCredentials credentials) {
    return new Remote(
        RepositoryUrl.parse(url, RepositoryUrl.Allow.REMOTE_AND_FILES), credentials, SHORT);
  }

  private Remote http() {
    return remote(server.url(repository), GitCredentials.NONE);
  }

  private BoundedRepository copy() {
    return BoundedRepository.open(directory.resolve("copy"), SHORT);
  }

  private static GitFailure failure(ThrowingCallable call) {
    return org.assertj.core.api.Assertions.catchThrowableOfType(GitFailure.class, call);
  }

  @Test
  void branches_and_tags_are_listed_by_http_and_from_a_disk() {
    String first = repository.write("a", "1").commit("first");
    repository.tag("v1").branch("work").write("a", "2");
    String second = repository.commit("second");

    for (String url : Set.of(server.url(repository), repository.url())) {
      RemoteRefs refs = remote(url, GitCredentials.NONE).refs();
      assertThat(refs.branches()).containsEntry("main", first).containsEntry("work", second);
      assertThat(refs.tags()).as("the commit behind the tag").containsEntry("v1", first);
      assertThat(refs.defaultBranch()).contains("main");
    }
  }

  @Test
  void a_name_is_a_commit_else_a_tag_else_a_branch() {
    String first = repository.write("a", "1").commit("first");
    repository.tag("both").branch("both").write("a", "2");
    String second = repository.commit("second");
    RemoteRefs refs = http().refs();

    assertThat(refs.resolve(first, Among.ALL).found()).isEqualTo(Found.COMMIT);
    assertThat(refs.resolve("both", Among.ALL))
        .isEqualTo(new RemoteRefs.Target("both", Found.TAG, first, true));
    assertThat(refs.resolve("both", Among.BRANCHES).commit()).isEqualTo(second);
    assertThat(refs.resolve("refs/heads/both", Among.ALL).commit()).isEqualTo(second);
    assertThat(refs.resolve("", Among.ALL))
        .isEqualTo(new RemoteRefs.Target("main", Found.BRANCH, first, false));
    assertThat(failure(() -> refs.resolve("mian", Among.BRANCHES)).hint()).contains("'main'");
    assertThat(failure(() -> refs.resolve("both", Among.COMMITS)).kind()).isEqualTo(Kind.NO_REF);
  }

  @Test
  void an_empty_repository_is_reported_as_empty() {
    RemoteRefs refs = http().refs();
    assertThat(failure(() -> refs.resolve("", Among.ALL))).hasMessageContaining("is empty");
    assertThat(failure(() -> refs.resolve("main", Among.ALL))).hasMessageContaining("is empty");
  }

  @Test
  void one_commit_comes_without_its_history() throws IOException {
    String first = repository.write("a", "1").commit("first");
    String second = repository.write("a", "2").commit("second");
    for (String url : Set.of(server.url(repository), repository.url())) {
      Path place = Files.createTempDirectory(directory, "copy");
      try (BoundedRepository copy = BoundedRepository.open(place, SHORT)) {
        remote(url, GitCredentials.NONE).fetch(copy, second);
        assertThat(copy.getObjectDatabase().has(id(second))).isTrue();
        assertThat(copy.getObjectDatabase().has(id(first))).as(url).isFalse();
      }
    }
  }

  @Test
  void a_commit_that_is_no_tip_is_found_all_the_same() throws IOException {
    String first = repository.write("a", "1").commit("first");
    repository.write("a", "2").commit("second");
    for (String url : Set.of(server.url(repository), repository.url())) {
      Path place = Files.createTempDirectory(directory, "copy");
      try (BoundedRepository copy = BoundedRepository.open(place, SHORT)) {
        remote(url, GitCredentials.NONE).fetch(copy, first);
        assertThat(copy.getObjectDatabase().has(id(first))).isTrue();
      }
    }
  }

  @Test
  void what_is_there_already_costs_no_connection() {
    String first = repository.write("a", "1").commit("first");
    try (BoundedRepository copy = copy()) {
      http().fetch(copy, first);
      int asked = server.requests().size();
      http().fetch(copy, first);
      assertThat(server.requests()).hasSize(asked);
    }
  }

  @Test
  void a_commit_that_is_gone_is_reported_as_gone() {
    repository.write("a", "1").commit("first");
    String gone = repository.write("a", "2").commit("second");
    repository.write("a", "3").rewrite("instead");
    repository.prune();
    try (BoundedRepository copy = copy()) {
      for (Remote remote : Set.of(http(), remote(repository.url(), GitCredentials.NONE))) {
        assertThat(failure(() -> remote.fetch(copy, gone)))
            .hasMessageContaining("no commit " + gone)
            .extracting(GitFailure::kind)
            .isEqualTo(Kind.NO_COMMIT);
      }
    }
  }

  @Test
  void the_right_password_opens_and_no_other() {
    repository.write("a", "1").commit("first");
    server.asks("robot", "s3cret-word");
    String url = server.url(repository);

    Remote right = remote(url, new GitCredentials.Password("robot", "s3cret-word"));
    assertThat(right.refs().branches()).containsKey("main");
    assertThat(right.toString()).doesNotContain("s3cret-word");

    GitFailure none = failure(() -> remote(url, GitCredentials.NONE).refs());
    assertThat(none.kind()).isEqualTo(Kind.AUTHENTICATION);
    assertThat(none).hasMessageContaining("asks for credentials");
    GitFailure wrong = failure(() -> remote(url, GitCredentials.token("wr0ng-word")).refs());
    assertThat(wrong.kind()).isEqualTo(Kind.AUTHENTICATION);
    assertThat(wrong).hasMessageContaining("refuses the credentials");
    assertThat(wrong).hasStackTraceContaining("GitFailure");
    assertThat(org.assertj.core.util.Throwables.getStackTrace(wrong)).doesNotContain("wr0ng-word");
  }

  @Test
  void no_secret_reaches_a_log_however_much_is_logged() {
    String first = repository.write("a", "1").commit("first");
    server.asks("robot", "s3cret-word");
    Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    ListAppender<ILoggingEvent> all = new ListAppender<>();
    Level before = root.getLevel();
    all.start();
    root.setLevel(Level.TRACE);
    root.detachAndStopAllAppenders();
    root.addAppender(all);
    try (BoundedRepository copy = copy()) {
      String url = server.url(repository);
      remote(url, new GitCredentials.Password("robot", "s3cret-word")).fetch(copy, first);
      assertThat(failure(() -> remote(url, GitCredentials.token("wr0ng-word")).refs())).isNotNull();
    } finally {
      root.detachAppender(all);
      root.setLevel(before);
    }
    String logged = all.list.stream().map(this::whole).reduce("", (a, b) -> a + b + "\n");
    assertThat(logged).isNotEmpty();
    for (String word : Set.of("s3cret-word", "wr0ng-word")) {
      for (String user : Set.of("robot", "git")) {
        String basic = java.util.Base64.getEncoder().encodeToString((user + ":" + word).getBytes());
        assertThat(logged).doesNotContain(word, basic);
      }
    }
  }

  private String whole(ILoggingEvent event) {
    String trace = event.getThrowableProxy() == null ? "" : event.getThrowableProxy().getMessage();
    return event.getFormattedMessage() + " " + trace;
  }

  @Test
  void a_closed_port_and_an_unknown_name_are_unreachable() throws IOException {
    int port;
    try (var socket = new java.net.ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    GitFailure closed =
        failure(() -> remote("http://127.0.0.1:" + port + "/x.git", GitCredentials.NONE).refs());
    assertThat(closed.kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(closed.mayPass()).isTrue();
    GitFailure unknown =
        failure(() -> remote("https://git.invalid/x.git", GitCredentials.NONE).refs());
    assertThat(unknown.kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(unknown).hasMessageContaining("name is not known");
  }

  @Test
  void a_repository_that_is_not_there_is_reported() {
    for (String url : Set.of(server.base() + "/none.git", "file://" + directory + "/none.git")) {
      assertThat(failure(() -> remote(url, GitCredentials.NONE).refs()).kind())
          .isEqualTo(Kind.NO_REPOSITORY);
    }
  }

  @Test
  void a_server_that_says_nothing_is_left_after_a_while() {
    repository.write("a", "1").commit("first");
    server.fallsSilent();
    GitLimits impatient =
        new GitLimits(Duration.ofSeconds(30), Duration.ofSeconds(1), 1 << 20, 1 << 20);
    Remote remote = new Remote(http().url(), GitCredentials.NONE, impatient);
    assertThat(failure(remote::refs).kind()).isEqualTo(Kind.TOO_SLOW);
  }

  @Test
  void a_server_that_never_ends_is_left_when_time_is_up() {
    String first = repository.write("a", "1".repeat(100_000)).commit("first");
    server.trickles();
    GitLimits limits =
        new GitLimits(Duration.ofSeconds(1), Duration.ofSeconds(10), 1 << 20, 1 << 20);
    Remote remote = new Remote(http().url(), GitCredentials.NONE, limits);
    try (BoundedRepository copy = copy()) {
      assertThat(failure(() -> remote.fetch(copy, first)).kind()).isEqualTo(Kind.TOO_SLOW);
    }
  }

  @Test
  void more_than_the_limit_is_not_taken() {
    byte[] noise = new byte[1 << 19];
    new java.util.Random(1).nextBytes(noise);
    repository.write("noise", java.util.HexFormat.of().formatHex(noise));
    String large = repository.commit("large");
    for (int i = 0; i < 25; i++) {
      repository.write(
          "noise" + i, java.util.HexFormat.of().formatHex(noise, i << 14, i + 1 << 14));
    }
    repository.git("rm", "-q", "--cached", "noise");
    assertThat(repository.work().resolve("noise").toFile().delete()).isTrue();
    String many = repository.rewrite("many");
    for (String url : Set.of(server.url(repository), repository.url())) {
      Remote remote = remote(url, GitCredentials.NONE);
      try (BoundedRepository copy = copy()) {
        GitFailure failure = failure(() -> remote.fetch(copy, many));
        assertThat(failure.kind()).as(url).isEqualTo(Kind.TOO_LARGE);
      }
    }
    repository.git("reset", "-q", "--hard", large);
    String again = repository.commit("large again");
    try (BoundedRepository copy = copy()) {
      assertThat(failure(() -> http().fetch(copy, again))).hasMessageContaining("larger than");
    }
  }

  @Test
  void a_redirect_to_another_path_is_followed_and_to_another_host_refused() throws IOException {
    repository.write("a", "1").commit("first");
    try (GitHttpServer other = GitHttpServer.start(directory)) {
      other.redirects(server.base());
      GitFailure failure =
          failure(() -> remote(other.url(repository), GitCredentials.token("t0ken-word")).refs());
      assertThat(failure.kind()).isEqualTo(Kind.URL_REFUSED);
      assertThat(failure).hasMessageContaining(server.base());
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void the_configuration_of_this_machine_is_not_read() {
    Isolation.ensure();
    var system = org.eclipse.jgit.util.SystemReader.getInstance();
    assertThat(system.getenv("PATH")).isNull();
    assertThatThrownBy(() -> Files.readString(Path.of(system.getProperty("user.home"))))
        .isInstanceOf(IOException.class);
  }

  private static org.eclipse.jgit.lib.ObjectId id(String commit) {
    return org.eclipse.jgit.lib.ObjectId.fromString(commit);
  }
}
