package dev.slipway.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublicAddressTest {
  private static PublicAddress at(String url) {
    return new PublicAddress(() -> Optional.of(URI.create(url)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "", "http://", "::", "http://a b", "https://[", "%zz", "file:x"})
  void what_is_no_origin_is_foreign(String origin) {
    assertThat(at("https://slipway.example.org").isOwn(origin, "127.0.0.1:8081")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "https://slipway.example.org:443, https://slipway.example.org",
    "https://slipway.example.org, https://slipway.example.org:443",
    "http://slipway.example.org:80/, http://SLIPWAY.example.org",
    "https://slipway.example.org:8443, https://slipway.example.org:8443",
    "https://[2001:db8::1]:443, https://[2001:db8::1]",
  })
  void the_usual_port_may_be_named_or_not(String url, String origin) {
    assertThat(at(url).isOwn(origin, "10.0.0.1:8081")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "https://slipway.example.org, http://slipway.example.org",
    "https://slipway.example.org, https://slipway.example.org:80",
    "https://slipway.example.org, https://me@slipway.example.org",
    "https://slipway.example.org:8443, https://slipway.example.org",
  })
  void another_scheme_port_or_name_is_foreign(String url, String origin) {
    assertThat(at(url).isOwn(origin, "10.0.0.1:8081")).isFalse();
  }

  @Test
  void without_a_configured_address_it_is_where_the_request_came_in() {
    PublicAddress nowhere = new PublicAddress(Optional::empty);
    assertThat(nowhere.isOwn("http://localhost:8081", "LOCALHOST:8081")).isTrue();
    assertThat(nowhere.isOwn("http://localhost:8082", "localhost:8081")).isFalse();
  }
}
