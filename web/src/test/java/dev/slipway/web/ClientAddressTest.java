package dev.slipway.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.resolve.AddressRange;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientAddressTest {
  private static ClientAddress trusting(String... ranges) {
    List<AddressRange> parsed =
        Arrays.stream(ranges).map(r -> AddressRange.parse(r).orElseThrow()).toList();
    return new ClientAddress(() -> parsed);
  }

  private static ClientAddress.Headers forwardedFor(String... lines) {
    return new ClientAddress.Headers(List.of(lines), List.of());
  }

  private static ClientAddress.Headers forwarded(String... lines) {
    return new ClientAddress.Headers(List.of(), List.of(lines));
  }

  @Test
  void a_header_from_an_address_that_is_not_trusted_is_not_believed() {
    assertThat(trusting().of("203.0.113.9", forwardedFor("198.51.100.1"))).isEqualTo("203.0.113.9");
    assertThat(trusting("10.0.0.0/8").of("203.0.113.9", forwarded("for=198.51.100.1")))
        .isEqualTo("203.0.113.9");
  }

  @Test
  void the_address_that_the_trusted_proxy_added_counts_and_not_what_the_client_wrote_before_it() {
    ClientAddress addresses = trusting("10.0.0.0/8");
    assertThat(addresses.of("10.0.0.7", forwardedFor("198.51.100.1, 203.0.113.9")))
        .isEqualTo("203.0.113.9");
    assertThat(addresses.of("10.0.0.7", forwardedFor("198.51.100.1", "203.0.113.9")))
        .as("in a line of its own")
        .isEqualTo("203.0.113.9");
    assertThat(addresses.of("10.0.0.7", forwardedFor("198.51.100.1, 203.0.113.9, 10.0.0.8")))
        .as("two proxies of ours")
        .isEqualTo("203.0.113.9");
  }

  @Test
  void what_is_no_address_is_answered_for_by_the_proxy_that_sent_it() {
    ClientAddress addresses = trusting("10.0.0.7");
    for (String hop : List.of("unknown", "_hidden", "localhost", "", "1.2.3", "10.0.0.300")) {
      assertThat(addresses.of("10.0.0.7", forwardedFor(hop))).as(hop).isEqualTo("10.0.0.7");
    }
  }

  @Test
  void a_header_that_the_proxy_passes_on_beside_its_own_does_not_hide_the_client() {
    var both =
        new ClientAddress.Headers(List.of("203.0.113.9"), List.of("for=198.51.100.1;proto=https"));
    assertThat(trusting("10.0.0.7").of("10.0.0.7", both)).isEqualTo("10.0.0.7");
    var agreeing = new ClientAddress.Headers(List.of("203.0.113.9"), List.of("for=203.0.113.9"));
    assertThat(trusting("10.0.0.7").of("10.0.0.7", agreeing)).isEqualTo("203.0.113.9");
  }

  @Test
  void ports_brackets_and_quotes_are_left_out_and_a_network_of_ipv6_counts_as_one_address() {
    ClientAddress addresses = trusting("10.0.0.7", "fd00::/8");
    assertThat(addresses.of("10.0.0.7", forwardedFor("203.0.113.9:4711"))).isEqualTo("203.0.113.9");
    assertThat(addresses.of("10.0.0.7", forwarded("For=\"[2001:db8:1:2:3::4]:4711\";by=x")))
        .isEqualTo("2001:db8:1:2:0:0:0:0/64");
    assertThat(addresses.of("fd12::1", forwardedFor("2001:db8:1:2:ffff::9")))
        .isEqualTo("2001:db8:1:2:0:0:0:0/64");
  }

  @Test
  void ranges_are_compared_bit_by_bit() {
    assertThat(AddressRange.parse("10.0.0.0/33")).isEmpty();
    assertThat(AddressRange.parse("example.org")).isEmpty();
    assertThat(AddressRange.parse("10.0.0.0/0").orElseThrow().contains(address("203.0.113.9")))
        .isTrue();
    AddressRange range = AddressRange.parse("192.168.4.0/22").orElseThrow();
    assertThat(range.contains(address("192.168.7.255"))).isTrue();
    assertThat(range.contains(address("192.168.8.0"))).isFalse();
    assertThat(range.contains(address("::1"))).isFalse();
  }

  private static java.net.InetAddress address(String text) {
    return AddressRange.literal(text).orElseThrow();
  }
}
