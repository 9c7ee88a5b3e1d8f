package dev.slipway.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.git.Checkouts.Checkout;
import dev.slipway.git.GitFailure.Kind;
import dev.slipway.testbed.GitRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.TreeFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckoutsTest {
  @TempDir Path directory;
  private GitRepository repository;
  private BoundedRepository copy;
  private Checkouts checkouts;

  @BeforeEach
  void make() {
    repository = GitRepository.create(directory, "providers");
    copy = BoundedRepository.open(directory.resolve("copy"), GitLimits.USUAL);
    checkouts = checkouts();
  }

  @AfterEach
  void close() {
    copy.close();
  }

  private Checkouts checkouts() {
    return new Checkouts(directory.resolve("checkouts"), TreeLimits.USUAL);
  }

  private Checkout fetched(String commit) {
    new Remote(
            RepositoryUrl.parse(repository.url(), RepositoryUrl.Allow.REMOTE_AND_FILES),
            GitCredentials.NONE,
            GitLimits.USUAL)
        .fetch(copy, commit);
    return checkouts.of(copy, commit);
  }

  private GitFailure refused(String commit) {
    GitFailure failure = catchThrowableOfType(GitFailure.class, () -> fetched(commit));
    assertThat(failure).isNotNull();
    assertThat(directory.resolve("checkouts").toFile().list()).isEmpty();
    return failure;
  }

  @Test
  void a_commit_is_written_once_with_its_programs_and_links_and_cannot_be_changed()
      throws IOException {
    repository.write("a/run.sh", "#!/bin/sh\n").write("b.txt", "text");
    assertThat(repository.work().resolve("a/run.sh").toFile().setExecutable(true)).isTrue();
    Files.createSymbolicLink(repository.work().resolve("a/link"), Path.of("../b.txt"));
    Checkout first = fetched(repository.commit("first"));

    assertThat(first.files().resolve("a/link")).hasContent("text");
    assertThat(Files.isExecutable(first.files().resolve("a/run.sh"))).isTrue();
    assertThat(Files.getPosixFilePermissions(first.files().resolve("b.txt")).toString())
        .doesNotContain("WRITE");
    assertThat(Files.getPosixFilePermissions(first.files().resolve("a")).toString())
        .doesNotContain("WRITE");
    assertThat(first.files().resolve(".git")).doesNotExist();

    Checkout second = fetched(repository.write("b.txt", "other").commit("second"));
    assertThat(second.files()).isNotEqualTo(first.files());
    assertThat(first.files().resolve("b.txt")).hasContent("text");
    assertThat(checkouts().find(first.commit())).contains(first);
  }

  @Test
  void a_changed_checkout_is_noticed_and_made_anew() throws IOException {
    Checkout checkout = fetched(repository.write("a", "right").commit("first"));
    Path file = checkout.files().resolve("a");
    TreeWriter.permit(file, "rw-r--r--");
    Files.writeString(file, "wrong");

    Checkouts afterRestart = checkouts();
    assertThat(afterRestart.find(checkout.commit())).isEmpty();
    assertThat(afterRestart.of(copy, checkout.commit()).files().resolve("a")).hasContent("right");
  }

  @Test
  void a_half_written_checkout_is_thrown_away() throws IOException {
    String commit = repository.write("a", "right").commit("first");
    Path dead = directory.resolve("checkouts/.unfinished-999999999-1-x/files/a");
    Files.createDirectories(dead);
    Path mine = directory.resolve("checkouts").resolve(Unfinished.name());
    Files.createDirectories(mine);
    Files.createDirectories(directory.resolve("checkouts").resolve(commit).resolve("files"));

    checkouts = checkouts();
    assertThat(directory.resolve("checkouts/.unfinished-999999999-1-x")).doesNotExist();
    assertThat(mine).as("of a process that lives").exists();
    assertThat(fetched(commit).files().resolve("a")).hasContent("right");
  }

  @Test
  void many_who_want_the_same_get_the_same() throws Exception {
    String commit = repository.write("a", "1").commit("first");
    fetched(commit);
    Unfinished.remove(directory.resolve("checkouts").resolve(commit));
    Callable<Checkout> another = () -> checkouts().of(copy, commit);
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (Future<Checkout> one : threads.invokeAll(java.util.Collections.nCopies(16, another))) {
        assertThat(one.get().files().resolve("a")).hasContent("1");
      }
    }
    try (Stream<Path> left = Files.list(directory.resolve("checkouts"))) {
      assertThat(left).hasSize(1);
    }
  }

  @Test
  void an_unused_checkout_is_removed_and_made_again_when_it_is_needed() throws IOException {
    Checkout old = fetched(repository.write("a", "1").commit("first"));
    Checkout now = fetched(repository.write("a", "2").commit("second"));
    Instant hourAgo = Instant.now().minus(Duration.ofHours(1));
    checkouts.keepOnly(Set.of(now.commit()), hourAgo);
    assertThat(old.files()).as("used a moment ago").exists();

    for (Checkout one : List.of(old, now)) {
      Files.setLastModifiedTime(
          one.files().resolveSibling("content"), FileTime.from(hourAgo.minusSeconds(60)));
    }
    checkouts.keepOnly(Set.of(now.commit()), hourAgo);
    assertThat(old.files()).doesNotExist();
    assertThat(now.files()).exists();

    repository.write("a", "3").rewrite("force");
    repository.prune();
    assertThat(fetched(old.commit()).files().resolve("a")).hasContent("1");
  }

  @ParameterizedTest
  @CsvSource({
    "link, /etc/passwd",
    "link, ../outside",
    "a/link, ../../outside",
    "a/link, x/../../../outside",
    "link, link",
    "link, .//../x"
  })
  void a_link_outwards_is_refused_by_its_name(String link, String target) throws IOException {
    repository.write("a/b", "1");
    Files.createSymbolicLink(repository.work().resolve(link), Path.of(target));
    GitFailure failure = refused(repository.commit("link"));
    assertThat(failure.kind()).isEqualTo(Kind.UNSAFE_CONTENT);
    assertThat(failure).hasMessageContaining("the link '" + link + "'");
  }

  @Test
  void a_link_outwards_through_another_link_is_refused() throws IOException {
    repository.write("deep/a", "1");
    Files.createSymbolicLink(repository.work().resolve("same"), Path.of("."));
    Files.createSymbolicLink(repository.work().resolve("out"), Path.of("same/deep/../../etc"));
    assertThat(refused(repository.commit("link"))).hasMessageContaining("'out'");
  }

  @Test
  void links_that_stay_inside_are_kept() throws IOException {
    repository.write("deep/a", "1");
    Files.createSymbolicLink(repository.work().resolve("same"), Path.of("."));
    Files.createSymbolicLink(repository.work().resolve("in"), Path.of("same/deep/../deep/a"));
    Files.createSymbolicLink(repository.work().resolve("nothing"), Path.of("deep/none"));
    Checkout checkout = fetched(repository.commit("link"));
    assertThat(checkout.files().resolve("in")).hasContent("1");
    assertThat(Files.exists(checkout.files().resolve("nothing"), LinkOption.NOFOLLOW_LINKS))
        .isTrue();
  }

  @Test
  void names_that_are_one_name_elsewhere_are_refused() {
    repository.write("Read", "1").write("read", "2");
    assertThat(refused(repository.commit("case"))).hasMessageContaining("one name");
    repository.write("dir/a", "1").write("DIR/b", "2");
    repository.git("rm", "-qf", "--cached", "read");
    repository.work().resolve("read").toFile().delete();
    assertThat(refused(repository.rewrite("case"))).hasMessageContaining("one name");
  }

  @ParameterizedTest
  @ValueSource(strings = {".git", ".GIT", ".giT", "..", ".", "", ".g\u200cit", "a\nb", "a\\b"})
  void a_tree_made_by_hand_with_a_name_that_means_something_is_refused(String name)
      throws IOException {
    try (ObjectInserter inserter = copy.newObjectInserter()) {
      ObjectId file = inserter.insert(Constants.OBJ_BLOB, new byte[] {'x'});
      String commit = commit(inserter, tree(inserter, name, FileMode.REGULAR_FILE, file));
      GitFailure failure = catchThrowableOfType(GitFailure.class, () -> checkouts.of(copy, commit));
      assertThat(failure.kind()).isEqualTo(Kind.UNSAFE_CONTENT);
    }
  }

  @Test
  void a_small_repository_that_unfolds_without_end_is_refused() throws IOException {
    try (ObjectInserter inserter = copy.newObjectInserter()) {
      ObjectId below = inserter.insert(Constants.OBJ_BLOB, new byte[] {'x'});
      FileMode mode = FileMode.REGULAR_FILE;
      for (int level = 0; level < 12; level++) {
        TreeFormatter tree = new TreeFormatter();
        for (char c = 'a'; c < 'k'; c++) {
          tree.append(String.valueOf(c), mode, below);
        }
        below = inserter.insert(tree);
        mode = FileMode.TREE;
      }
      String commit = commit(inserter, below);
      GitFailure failure = catchThrowableOfType(GitFailure.class, () -> checkouts.of(copy, commit));
      assertThat(failure).hasMessageContaining("more than 50000 files");
    }
  }

  @Test
  void a_submodule_is_an_empty_directory() throws IOException {
    try (ObjectInserter inserter = copy.newObjectInserter()) {
      ObjectId elsewhere = ObjectId.fromString("1234567890123456789012345678901234567890");
      String commit = commit(inserter, tree(inserter, "module", FileMode.GITLINK, elsewhere));
      assertThat(checkouts.of(copy, commit).files().resolve("module")).isEmptyDirectory();
    }
  }

  @Test
  void ten_thousand_files_are_no_trouble() {
    String commit = repository.fill("main", 10_000);
    long start = System.nanoTime();
    Checkout checkout = fetched(commit);
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    assertThat(checkout.files().resolve("d99/f9999")).hasContent("content 9999");
    assertThat(took).isLessThan(Duration.ofMinutes(2));
    System.out.println("10,000 files fetched and checked out in " + took.toMillis() + " ms");
  }

  private static ObjectId tree(ObjectInserter inserter, String name, FileMode mode, ObjectId id)
      throws IOException {
    byte[] raw = name.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    TreeFormatter tree = new TreeFormatter();
    tree.append(raw, 0, raw.length, mode, id, true);
    return inserter.insert(tree);
  }

  private static String commit(ObjectInserter inserter, ObjectId tree) throws IOException {
    PersonIdent author = new PersonIdent("somebody", "somebody@example.org");
    var commit = new org.eclipse.jgit.lib.CommitBuilder();
    commit.setTreeId(tree);
    commit.setAuthor(author);
    commit.setCommitter(author);
    commit.setMessage("by hand");
    ObjectId id = inserter.insert(commit);
    inserter.flush();
    return id.name();
  }
}
