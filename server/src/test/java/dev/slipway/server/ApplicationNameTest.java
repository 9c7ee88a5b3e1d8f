package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application is {@code application} everywhere; {@code app} is still read. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApplicationNameTest {
  private Running running;
  private String dora;
  private String deployment;

  @BeforeAll
  void start() {
    running = new Running();
    dora = running.member("dora", "red", "developer");
    Map<String, Object> made =
        running.as(dora).yaml("/api/specs", ApplicationTest.score("named")).expect(201).json();
    deployment = made.get("deploymentId").toString();
    running.as(dora).yaml("/api/specs", ApplicationTest.score("other")).expect(201);
  }

  @AfterAll
  void stop() {
    running.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/resources", "/api/workflows", "/api/deployments"})
  void both_spellings_narrow_a_list_to_one_application(String path) {
    List<?> fresh = applications(path + "?application=named");
    assertThat(fresh).isNotEmpty().allMatch("named"::equals);
    assertThat(applications(path + "?app=named")).isEqualTo(fresh);
    assertThat(applications(path + "?app=named&application=named")).isEqualTo(fresh);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/resources",
        "/api/workflows",
        "/api/deployments",
        "/api/events",
        "/api/events/stream"
      })
  void two_spellings_with_different_values_are_refused(String path) {
    assertThat(running.as(dora).get(path + "?app=other&application=named").expect(400).body())
        .contains("'app' is the old spelling of 'application', and they differ");
  }

  @Test
  void the_table_of_kinds_names_the_new_spelling_only() {
    assertThat(running.as(dora).get("/api/kinds").expect(200).body())
        .contains("/api/resources{?application,")
        .contains("/api/workflows{?application,")
        .contains("/api/deployments{?application,")
        .doesNotContain("{?app,");
  }

  @Test
  void a_namespace_template_reads_both_spellings() {
    String admin = running.adminToken;
    for (String name : List.of("app", "application")) {
      running
          .as(admin)
          .post(
              "/api/environments",
              "{\"name\":\"by-%s\",\"namespaceTemplate\":\"x-{{ .%s }}\"}".formatted(name, name))
          .expect(201);
    }
  }

  @Test
  void a_deployment_lists_the_resources_of_its_plan() {
    Map<String, Object> shown =
        running.as(dora).get("/api/deployments/" + deployment).expect(200).json();
    assertThat((List<?>) shown.get("resources"))
        .isNotEmpty()
        .allSatisfy(one -> assertThat((Map<?, ?>) one).extracting("change").isEqualTo("create"));
  }

  private List<?> applications(String path) {
    return ((List<?>) running.as(dora).get(path).expect(200).json().get("data"))
        .stream().<Object>map(one -> ((Map<?, ?>) one).get("application")).toList();
  }
}
