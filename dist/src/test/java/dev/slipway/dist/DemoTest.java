package dev.slipway.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first minute, as a new user lives it. */
class DemoTest {
  @TempDir Path directory;
  private Layout layout;

  @BeforeEach
  void fresh() throws Exception {
    layout = new Layout(directory);
  }

  @AfterEach
  void stop() throws Exception {
    layout.slipway("demo", "--clean", "--yes");
  }

  @Test
  void the_demo_provisions_really_repeats_without_changes_and_cleans_up() throws Exception {
    Layout.Result first = layout.slipway("demo");
    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.out())
        .contains("resource:guestbook:db", "password:", "***", "What to try next");
    Path repository =
        directory.resolve("data/slipway/providers/git-repo/default/guestbook/content.git");
    assertThat(repository.resolve("HEAD")).exists();
    assertThat(directory.resolve("data/slipway/providers/volume/default/guestbook/uploads/data"))
        .isDirectory();
    assertThat(Files.readString(repository.resolve("description")))
        .contains("default_guestbook_db");

    Layout.Result password = layout.slipway("resource", "outputs", "guestbook/db", "--reveal");
    assertThat(password.out()).contains("postgresql://default_guestbook_db:").doesNotContain("***");
    String secret =
        password
            .out()
            .lines()
            .filter(l -> l.startsWith("password:"))
            .findFirst()
            .orElseThrow()
            .substring(10)
            .replace("'", "")
            .strip();
    assertThat(first.out() + first.err()).doesNotContain(secret);
    assertThat(Files.readString(directory.resolve("data/slipway/server.log")))
        .doesNotContain(secret);

    Layout.Result again = layout.slipway("demo");
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(again.err()).contains("Nothing had to be done");

    Layout.Result status = layout.slipway("status");
    assertThat(status.out()).contains("guestbook", "active", "3/3");

    Layout.Result clean = layout.slipway("demo", "--clean", "--yes");
    assertThat(clean.exitCode()).as(clean.err()).isZero();
    assertThat(directory.resolve("data/slipway")).doesNotExist();
  }
}
