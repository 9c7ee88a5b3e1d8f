package dev.slipway.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.git.RepositoryUrl.Allow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepositoryUrlTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://git.example.org/acme/providers.git",
        "http://127.0.0.1:3000/acme/providers",
        "ssh://git@git.example.org:2222/acme/providers.git",
        "file:///srv/git/providers.git"
      })
  void what_is_usual_may_be_used(String url) {
    assertThat(RepositoryUrl.parse(url, Allow.REMOTE_AND_FILES).text()).isEqualTo(url);
  }

  @Test
  void the_short_form_of_ssh_is_read_as_git_does() {
    assertThat(RepositoryUrl.parse("git@git.example.org:acme/p.git", Allow.REMOTE).text())
        .isEqualTo("ssh://git@git.example.org/acme/p.git");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "ext::sh -c touch% /tmp/x",
        "ext::sh",
        "fd::17",
        "ftp://git.example.org/x.git",
        "git://git.example.org/x.git",
        "amazon-s3://bucket/x.git",
        "sftp://git.example.org/x.git",
        "/srv/git/x.git",
        "../x.git",
        "~/x.git",
        "x.git",
        "https:///x.git",
        "https://git.example.org",
        "https://git.example.org/",
        "ssh://-oProxyCommand=id/x",
        "file://other.host/x.git",
        "https://git.example.org/x\ny.git",
        "--upload-pack=id"
      })
  void everything_else_is_refused(String url) {
    GitFailure failure =
        catchThrowableOfType(
            GitFailure.class, () -> RepositoryUrl.parse(url, Allow.REMOTE_AND_FILES));
    assertThat(failure.kind()).isEqualTo(GitFailure.Kind.URL_REFUSED);
    assertThat(failure.hint()).isNotEmpty();
  }

  @Test
  void files_are_refused_where_only_remote_repositories_may_be_used() {
    GitFailure failure =
        catchThrowableOfType(
            GitFailure.class, () -> RepositoryUrl.parse("file:///etc/x.git", Allow.REMOTE));
    assertThat(failure).hasMessageContaining("of this machine");
  }

  @Test
  void a_password_in_a_url_is_refused_without_being_repeated() {
    GitFailure failure =
        catchThrowableOfType(
            GitFailure.class,
            () -> RepositoryUrl.parse("https://me:hunter2@git.example.org/x.git", Allow.REMOTE));
    assertThat(failure).hasMessageContaining("holds a password");
    assertThat(failure.getMessage()).doesNotContain("hunter2");
  }
}
