package dev.slipway.engine.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.resolve.ClusterSettings.Access;
import dev.slipway.engine.resolve.ClusterSettings.Claim;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clusters of the configuration, and which namespaces a team has in them. */
class ClusterSettingsTest {
  private final Diagnostics diagnostics = new Diagnostics();

  private AdminConfig read(String text) {
    Document document =
        Document.parse("admin-config.yaml", text, Limits.DEFAULT, diagnostics).orElseThrow();
    return new AdminConfigParser(Path.of("."), name -> "secret-" + name)
        .parse(document, diagnostics);
  }

  private List<String> errors(String cluster) {
    read("clusters: {east: " + cluster + "}");
    return diagnostics.errors().stream().map(Diagnostic::text).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "red, legacy, NAMED",
    "red, red-shop, MATCHED",
    "red, team-red-1, MATCHED",
    "red, red, NONE",
    "red, blue-shop, NONE",
    "blue, legacy, NONE",
    "blue, blue-shop, MATCHED",
    "kube, kube-system, NONE",
    "default, default, NONE",
  })
  void a_namespace_is_a_teams_when_it_is_named_or_matches(
      String team, String namespace, Claim claim) {
    ClusterSettings east =
        read("""
            clusters:
              east:
                inCluster: true
                namespaces: ['{team}-*']
                teams:
                  red: {namespaces: [legacy, 'team-red-*']}
                  default: {namespaces: ['*']}
            """)
            .clusters()
            .get("east");
    assertThat(diagnostics.all()).isEmpty();
    assertThat(east.claim(team, namespace)).isEqualTo(claim);
  }

  @Test
  void credentials_are_references_and_no_text_shows_them() {
    AdminConfig config =
        read("clusters: {east: {server: 'https://localhost:6443', token: '${env:T}'}}");
    assertThat(config.clusters().get("east").access())
        .isEqualTo(
            new Access.Token(
                java.net.URI.create("https://localhost:6443"),
                java.util.Optional.empty(),
                "secret-T"));
    assertThat(config.clusters() + " " + config.view()).doesNotContain("secret-T");
  }

  @Test
  void steps_act_as_the_user_of_their_team() {
    ClusterSettings east =
        read("""
            clusters:
              east: {inCluster: true, impersonate: 'sa:{team}', teams: {red: {impersonate: boss}}}
            """)
            .clusters()
            .get("east");
    assertThat(east.userOf("blue")).contains("sa:blue");
    assertThat(east.userOf("red")).contains("boss");
  }

  @Test
  void what_is_wrong_is_said_with_its_place() {
    assertThat(errors("{}"))
        .anyMatch(text -> text.startsWith("admin-config.yaml:1:"))
        .anyMatch(text -> text.contains("exactly one of 'kubeconfig', 'server' and 'inCluster'"));
    assertThat(errors("{kubeconfig: /etc/kubeconfig}"))
        .anyMatch(text -> text.contains("${file:PATH}"));
    assertThat(errors("{server: 'http://localhost', token: x}"))
        .anyMatch(text -> text.contains("not an https address"));
    assertThat(errors("{inCluster: true, namespaces: ['a*b*c']}"))
        .anyMatch(text -> text.contains("no name of a namespace"));
    read("providers: [{source: filesystem, path: a, grants: {clusters: [west]}}]");
    assertThat(diagnostics.errors())
        .anyMatch(each -> each.text().contains("no cluster 'west' is configured"));
  }
}
