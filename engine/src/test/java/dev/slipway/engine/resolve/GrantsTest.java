package dev.slipway.engine.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrantsTest {
  @Test
  void a_workflow_that_is_called_has_what_it_and_its_callers_have() {
    Grants own =
        Grants.ofHosts("*.example.org", "db.local")
            .withSecrets(List.of("a", "b"))
            .withConnections("main", "postgres")
            .withRepositories("https://git.example/team/*");
    Grants caller =
        Grants.ofHosts("api.example.org")
            .withSecrets(List.of("b", "c"))
            .withConnections("postgres")
            .withRepositories("https://git.example/*");
    Grants both = own.calledBy(caller);

    assertThat(both.secrets()).containsExactly("b");
    assertThat(both.connection("postgres")).isTrue();
    assertThat(both.connection("main")).isFalse();
    assertThat(both.host("api.example.org")).isTrue();
    assertThat(both.host("other.example.org")).isFalse();
    assertThat(both.host("db.local")).isFalse();
    assertThat(both.repository("https://git.example/team/x")).isTrue();
    assertThat(both.repository("https://git.example/other/x")).isFalse();
    assertThat(both.calledBy(Grants.NONE).host("api.example.org")).isFalse();
    assertThat(own.calledBy(Grants.NONE)).returns(List.of(), Grants::secrets);
  }

  @ParameterizedTest
  @CsvSource({
    "https://git.example/team/*, https://git.example/team/x.git, true",
    "https://git.example/team/*, https://git.example/team/deep/x, true",
    "https://git.example/team/*, https://git.example/team/../other/x, false",
    "https://git.example/team/*, https://git.example/team/%2e%2e/other/x, false",
    "https://git.example/team/*, https://git.example/team-b/x, false",
    "https://git.example/team/*, http://git.example/team/x, false",
    "https://git.example/team/x, https://git.example/team/x.git, true",
    "https://git.example/team/x.git, https://git.example/team/x/, true",
    "https://git.example/team/x, https://git.example/team/xy, false",
    "*, ssh://git@host/x, true",
  })
  void repositories_are_granted_by_address(String granted, String asked, boolean expected) {
    assertThat(Grants.NONE.withRepositories(granted).repository(asked)).isEqualTo(expected);
  }
}
