package dev.slipway.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UriTemplateTest {
  private static final Map<String, Object> VALUES =
      Map.of("name", "shop", "environment", "dev", "odd", "a b/ü&c", "flag", true);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /api/apps                                   | /api/apps
          /api/apps/{name}                            | /api/apps/shop
          /api/apps/{name}{?environment,team}         | /api/apps/shop?environment=dev
          /api/apps{?team,state}                      | /api/apps
          /api/apps{?team,environment,flag}           | /api/apps?environment=dev&flag=true
          /api/apps/{name}?confirm={name}{&flag,team} | /api/apps/shop?confirm=shop&flag=true
          /api/graph?provider={odd}                   | /api/graph?provider=a%20b%2F%C3%BC%26c
          /api/x/{odd}/y                              | /api/x/a%20b%2F%C3%BC%26c/y
          """)
  void variables_are_filled_in_and_those_without_a_value_left_out(String template, String address) {
    assertThat(new UriTemplate(template).expand(VALUES)).isEqualTo(address);
  }

  @Test
  void what_the_path_needs_and_is_not_there_is_named() {
    UriTemplate template = new UriTemplate("/api/{application}/x?resource={name}{&environment}");
    assertThat(template.missing(Map.of("name", "db"))).containsExactly("application");
    assertThat(template.variables()).containsExactly("application", "name", "environment");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/{+name}", "/api{/name}", "/api/{name*}", "/api/{name:3}", "/a{}"})
  void a_form_that_the_table_does_not_use_is_refused(String template) {
    assertThatThrownBy(() -> new UriTemplate(template)).hasMessageContaining(template);
  }

  @ParameterizedTest
  @ValueSource(strings = {"@evil.example/{name}", ".evil.example/", "https://evil.example/", ""})
  void a_template_that_leads_to_another_host_is_refused(String template) {
    assertThatThrownBy(() -> new UriTemplate(template)).hasMessageContaining("begin with '/'");
  }
}
