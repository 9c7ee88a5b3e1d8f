package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.engine.value.Secrets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.spi.InetAddressResolverProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpExecutorTest {
  /** Keys take programs to make, so they are made once. */
  @TempDir static Path directory;

  private final HttpExecutor executor = new HttpExecutor(InstantSource.system(), new HostRules());
  private final Lines log = new Lines();
  private final List<String> seen = new ArrayList<>();
  private final List<String> hosts = new ArrayList<>();
  private HttpServer server;
  private int answer = 200;
  private String body = "{\"state\": \"ready\", \"big\": 12345678901234567890}";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    hosts.add(exchange.getRequestHeaders().getFirst("Host"));
    seen.add(
        exchange.getRequestMethod()
            + " "
            + exchange.getRequestURI()
            + " "
            + exchange.getRequestHeaders().getFirst("Idempotency-Key")
            + " "
            + exchange.getRequestHeaders().getFirst("Authorization")
            + " "
            + sent);
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("X-Kind", "test");
    exchange.getResponseHeaders().add("Location", "http://169.254.169.254/");
    exchange.sendResponseHeaders(answer, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private Result call(Map<String, Object> config) throws InterruptedException {
    return executor.execute(Calls.of("http", config, log));
  }

  private static StepError error(Result result) {
    return ((Result.Failed) result).error();
  }

  @Test
  void the_answer_is_the_output_with_exact_numbers() throws InterruptedException {
    Result.Succeeded result =
        (Result.Succeeded) call(Map.of("url", url("/x"), "query", Map.of("q", "a b&c")));
    assertThat(result.outputs()).containsEntry("status", 200L);
    assertThat(result.outputs().get("json").toString())
        .isEqualTo("{state=ready, big=12345678901234567890}");
    assertThat(result.outputs().get("headers").toString()).contains("x-kind=test");
    assertThat(seen.getFirst()).startsWith("GET /x?q=a+b%26c ");
  }

  @Test
  void the_key_and_the_json_body_are_sent() throws InterruptedException {
    StepCall call =
        Calls.of(
            "http",
            Map.of("url", url("/x"), "json", Map.of("n", 1L), "auth", Map.of("bearer", "t")),
            log);
    executor.execute(call);
    assertThat(seen.getFirst()).isEqualTo("POST /x " + call.key() + " Bearer t {\"n\":1}");
  }

  @ParameterizedTest
  @CsvSource({"500,PERMANENT", "404,PERMANENT", "429,TRANSIENT", "503,TRANSIENT", "302,PERMANENT"})
  void a_status_that_was_not_expected_fails_and_some_may_pass(int status, StepError.Kind kind)
      throws InterruptedException {
    answer = status;
    StepError error = error(call(Map.of("url", url("/x"))));
    assertThat(error.code()).isEqualTo("http-status");
    assertThat(error.kind()).isEqualTo(kind);
    assertThat(error.message()).contains("status " + status);
  }

  @Test
  void an_expected_status_is_a_success() throws InterruptedException {
    answer = 404;
    assertThat(call(Map.of("url", url("/x"), "expectStatus", List.of(200L, 404L))))
        .isInstanceOf(Result.Succeeded.class);
  }

  @Test
  void polling_parks_until_the_field_has_its_value() throws InterruptedException {
    Map<String, Object> config =
        Map.of(
            "url",
            url("/x"),
            "poll",
            Map.of("until", Map.of("path", "json.state", "equals", "ready"), "interval", "3s"));
    body = "{\"state\": \"making\"}";
    assertThat(call(config)).isInstanceOf(Result.Parked.class);
    body = "{\"state\": \"ready\"}";
    assertThat(call(config)).isInstanceOf(Result.Succeeded.class);
  }

  private Result.Parked poll(Map<String, Object> until) throws InterruptedException {
    return (Result.Parked) call(Map.of("url", url("/x"), "poll", Map.of("until", until)));
  }

  private String seen(Map<String, Object> until) throws InterruptedException {
    return (String) poll(until).memory().get(Result.Parked.SEEN);
  }

  @Test
  void polling_waits_for_the_same_whatever_it_sees() throws InterruptedException {
    Map<String, Object> until = Map.of("path", "json.state", "equals", "up");
    body = "{\"state\": \"making 10 %\"}";
    assertThat(poll(until).waitingFor()).isEqualTo("json.state to be \"up\"");
    body = "{\"state\": \"making 20 %\"}";
    assertThat(poll(until).waitingFor()).isEqualTo("json.state to be \"up\"");
  }

  @Test
  void polling_that_gets_no_answer_says_what_it_saw_last() throws InterruptedException {
    Map<String, Object> until = Map.of("path", "json.state", "equals", "up");
    body = "{\"state\": \"making\"}";
    Result.Parked parked = poll(until);

    serveInstead(exchange -> {});
    StepCall late =
        Calls.of("http", Map.of("url", url("/x"), "poll", Map.of("until", until)), parked.memory());
    assertThat(error(executor.execute(Calls.within(Duration.ofMillis(300), late))).message())
        .contains("no answer", "it waited for json.state to be \"up\" (last seen: \"making\")");
  }

  @Test
  void polling_remembers_plain_values_only_and_not_too_much() throws InterruptedException {
    Map<String, Object> until = Map.of("path", "json.state", "equals", "up");
    body = "{\"state\": \"" + "x".repeat(10_000) + "\"}";
    assertThat(seen(until)).hasSizeLessThan(300);
    body = "gone";
    assertThat(seen(until)).isEqualTo("nothing");
    body = "{\"state\": {\"password\": \"geheim-1234\"}}";
    assertThat(seen(until)).isEqualTo("an object");
    body = "{\"state\": [\"geheim-1234\"]}";
    assertThat(seen(until)).isEqualTo("a list");
    assertThat(seen(Map.of("path", "body", "equals", "up"))).isEqualTo("a text of 26 characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"json.token", "json.credentials.state"})
  void polling_tells_no_secret(String path) throws InterruptedException {
    body =
        """
        {"token": "geheim-1234", "credentials": {"state": "geheim-1234"}}\
        """;
    Result.Parked parked = poll(Map.of("path", path, "equals", "geheim-5678"));
    assertThat(parked.toString()).doesNotContain("geheim");
  }

  @Test
  void polling_masks_what_is_secret_before_it_is_cut() throws InterruptedException {
    String secret = "geheim-" + "1234".repeat(20);
    body = "{\"state\": \"%s%s\"}".formatted("x".repeat(150), secret);
    Map<String, Object> until = Map.of("path", "json.state", "equals", "up");
    Map<String, Object> config = Map.of("url", url("/x"), "poll", Map.of("until", until));
    StepCall call = Calls.knowing(Secrets.of(List.of(secret)), Calls.of("http", config, log));
    assertThat(executor.execute(call).toString()).contains("xxx***").doesNotContain("geheim");
  }

  @Test
  void a_host_that_was_not_granted_is_not_called() throws InterruptedException {
    assertThat(error(call(Map.of("url", "http://elsewhere.example/"))).code())
        .isEqualTo("host-not-granted");
  }

  private static Grants grants(String... hosts) {
    return Grants.ofHosts(hosts);
  }

  private static @Nullable String refusal(String host) {
    return refusal(host, "*");
  }

  private static @Nullable String refusal(String host, String... granted) {
    URI uri = URI.create("http://" + host + "/");
    return switch (new HostRules().judge(uri, grants(granted))) {
      case HostRules.Verdict.Allowed _ -> null;
      case HostRules.Verdict.Refused(StepError error) -> error.code();
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "169.254.169.254",
        "2852039166",
        "0.0.0.0",
        "[fe80::1]",
        "[::]",
        "[::ffff:169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "[2002:a9fe:a9fe::1]",
        "[fd00:ec2::254]",
        "100.100.100.200"
      })
  void link_local_addresses_are_blocked_even_when_granted(String host) {
    assertThat(refusal(host)).isEqualTo("address-blocked");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.1.2.3",
        "2130706433",
        "10.1.2.3",
        "172.31.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "198.19.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "[::1]",
        "[fd12:3456::1]",
        "[fec0::1]",
        "[ff02::1]",
        "[::7f00:1]",
        "[::ffff:10.1.2.3]",
        "[64:ff9b::a01:203]",
        "[64:ff9b:1::a01:203]",
        "[2002:7f00:1::1]",
        "[2001::1]"
      })
  void a_wildcard_reaches_no_private_address(String host) {
    assertThat(refusal(host)).isEqualTo("private-address");
  }

  @Test
  void a_private_address_is_reached_only_if_a_grant_names_it() {
    assertThat(refusal("10.1.2.3", "10.1.2.3")).isNull();
    assertThat(refusal("10.1.2.3", "10.1.0.0/16")).isNull();
    assertThat(refusal("10.1.2.3", "10.2.0.0/16")).isEqualTo("host-not-granted");
    assertThat(refusal("10.1.2.3", "10.1.0.0/99")).isEqualTo("host-not-granted");
    assertThat(refusal("[fd12:3456::1]", "fd12:3456::/32")).isNull();
    assertThat(refusal("localhost", "localhost")).isNull();
    String name = TestNames.named("inside.test", "10.1.2.3");
    assertThat(refusal(name, name)).isEqualTo("private-address");
    assertThat(refusal(TestNames.named(name, "10.1.2.3"), "10.1.2.3"))
        .isEqualTo("host-not-granted");
    assertThat(refusal(TestNames.named(name, "10.1.2.3"), "*.test", "10.1.2.3")).isNull();
    assertThat(refusal(TestNames.named(name, "10.1.2.3", "10.1.2.4"), "*", "10.1.2.3"))
        .isEqualTo("private-address");
  }

  @ParameterizedTest
  @ValueSource(strings = {"8.8.8.8", "172.32.0.1", "100.128.0.1", "[2606:4700::1111]"})
  void a_wildcard_reaches_public_addresses(String host) {
    assertThat(refusal(host)).isNull();
  }

  @Test
  void a_name_is_judged_by_each_of_its_addresses() {
    assertThat(refusal(TestNames.named("meta.test", "169.254.169.254")))
        .isEqualTo("address-blocked");
    assertThat(refusal(TestNames.named("both.test", "8.8.8.8", "fe80::1")))
        .isEqualTo("address-blocked");
    assertThat(refusal(TestNames.named("six.test", "fd00:ec2::254"))).isEqualTo("address-blocked");
    assertThat(refusal(TestNames.named("usual.test", "8.8.8.8", "2001:db8::1"))).isNull();
  }

  @Test
  void the_address_that_was_judged_is_the_one_that_is_connected_to() throws Exception {
    // A second lookup would find the wildcard address, which reaches this machine too.
    String name =
        TestNames.changing("turncoat.test", List.of(List.of("127.0.0.1"), List.of("0.0.0.0")));
    assertThat(called(name, "turncoat.test", "127.0.0.1")).isInstanceOf(Result.Succeeded.class);
    assertThat(hosts).containsExactly("turncoat.test:" + server.getAddress().getPort());
    String back =
        TestNames.changing("back.test", List.of(List.of("10.1.2.3"), List.of("127.0.0.1")));
    assertThat(error(called(back, "*")).code()).isEqualTo("private-address");
    assertThat(seen).hasSize(1);
    assertThat(ServiceLoader.load(InetAddressResolverProvider.class))
        .as("the product has it too")
        .anyMatch(GuardedNames.class::isInstance);
  }

  @Test
  void the_next_address_of_a_name_is_tried_if_the_first_takes_no_connection() throws Exception {
    String name = TestNames.named("two.test", "::1", "127.0.0.1");
    assertThat(called(name, "two.test", "::1", "127.0.0.1")).isInstanceOf(Result.Succeeded.class);
    assertThat(seen).hasSize(1);
  }

  @Test
  void a_step_cannot_name_another_host_in_its_headers() throws InterruptedException {
    Map<String, Object> config =
        Map.of("url", url("/x"), "headers", Map.of("hOst", "other.example"));
    assertThat(error(call(config)).message()).isEqualTo("the header Host is that of the url");
    assertThat(seen).isEmpty();
  }

  @Test
  void the_answer_of_an_unexpected_status_is_not_returned() throws InterruptedException {
    answer = 403;
    Result.Failed refused = (Result.Failed) call(Map.of("url", url("/x")));
    assertThat(refused.outputs()).isEqualTo(Map.of("status", 403L));
    Map<String, Object> expecting = Map.of("url", url("/x"), "expectStatus", List.of(200L, 403L));
    assertThat(((Result.Succeeded) call(expecting)).outputs()).containsEntry("body", body);
  }

  private Result called(String name, String... granted) throws InterruptedException {
    Map<String, Object> config = Map.of("url", url("/x").replace("127.0.0.1", name));
    return executor.execute(Calls.granted(Calls.of("http", config, log), grants(granted)));
  }

  @Test
  void nobody_there_may_pass() throws InterruptedException {
    server.stop(0);
    StepError error = error(call(Map.of("url", url("/x"))));
    assertThat(error.code()).isEqualTo("connect");
    assertThat(error.kind()).isEqualTo(StepError.Kind.TRANSIENT);
  }

  @Test
  void a_huge_answer_is_refused() throws InterruptedException {
    body = "x".repeat(5_000_000);
    assertThat(error(call(Map.of("url", url("/x")))).code()).isEqualTo("answer-too-large");
  }

  @Test
  void an_address_that_is_none_is_refused() throws InterruptedException {
    assertThat(error(call(Map.of("url", "file:///etc/passwd"))).code())
        .isEqualTo("invalid-request");
    assertThat(error(call(Map.of("url", "http://a b/"))).code()).isEqualTo("invalid-request");
  }

  @Test
  void a_slow_answer_ends_at_the_deadline() throws InterruptedException {
    server.removeContext("/");
    server.createContext("/", exchange -> {});
    Map<String, Object> config = Map.of("url", url("/x"));
    Result result =
        executor.execute(Calls.of(Calls.step("http", config), config, log, Duration.ofMillis(300)));
    assertThat(error(result).code()).isEqualTo("timeout");
  }

  private void serveInstead(com.sun.net.httpserver.HttpHandler handler) {
    server.removeContext("/");
    server.createContext("/", handler);
  }

  private Result within(Duration timeout, Map<String, Object> config) throws InterruptedException {
    return executor.execute(Calls.of(Calls.step("http", config), config, log, timeout));
  }

  @Test
  void an_answer_that_trickles_in_for_ever_ends_at_the_deadline() throws InterruptedException {
    java.util.concurrent.CountDownLatch over = new java.util.concurrent.CountDownLatch(1);
    serveInstead(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write('x');
          exchange.getResponseBody().flush();
          try {
            over.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    try {
      assertThat(error(within(Duration.ofSeconds(1), Map.of("url", url("/x")))).code())
          .isEqualTo("timeout");
    } finally {
      over.countDown();
    }
  }

  @Test
  void an_answer_without_end_is_cut_off() throws InterruptedException {
    serveInstead(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] chunk = new byte[65536];
          try {
            for (int i = 0; i < 10_000; i++) {
              exchange.getResponseBody().write(chunk);
            }
          } catch (IOException e) {
            exchange.close();
          }
        });
    assertThat(error(call(Map.of("url", url("/x")))).code()).isEqualTo("answer-too-large");
  }

  @Test
  void a_redirect_is_not_followed_and_says_where_it_leads() throws InterruptedException {
    answer = 302;
    assertThat(error(call(Map.of("url", url("/x")))).hint())
        .contains("No redirect is followed", "http://169.254.169.254/");
    assertThat(seen).hasSize(1);
  }

  @Test
  void a_server_that_asks_to_be_left_alone_is() throws InterruptedException {
    for (String asked : List.of("7", "99999", "soon", "Sun, 06 Nov 1994 08:49:37 GMT")) {
      serveInstead(
          exchange -> {
            exchange.getResponseHeaders().add("Retry-After", asked);
            exchange.sendResponseHeaders(429, -1);
            exchange.close();
          });
      Result.Failed failed = (Result.Failed) call(Map.of("url", url("/x")));
      assertThat(failed.notBefore())
          .as(asked)
          .isEqualTo(
              switch (asked) {
                case "7" -> Duration.ofSeconds(7);
                case "99999" -> Duration.ofMinutes(15);
                default -> Duration.ZERO;
              });
    }
  }

  @Test
  void a_certificate_that_nobody_vouches_for_is_refused_and_not_tried_again() throws Exception {
    HttpsServer own = https(null);
    try {
      StepError error = error(call(Map.of("url", address(own))));
      assertThat(error.code()).isEqualTo("tls");
      assertThat(error.kind()).isEqualTo(StepError.Kind.PERMANENT);
      assertThat(seen).isEmpty();
    } finally {
      own.stop(0);
    }
  }

  @Test
  void an_authority_of_its_own_is_trusted_and_a_client_shows_its_certificate() throws Exception {
    keys();
    String ca = Files.readString(directory.resolve("certificate"));
    HttpsServer own = https(ca);
    try {
      String key = exported();
      Map<String, Object> anonymous = Map.of("url", address(own), "tls", Map.of("ca", ca));
      assertThat(error(call(anonymous)).code()).isIn("tls", "connection");
      Map<String, Object> known =
          Map.of("url", address(own), "tls", Map.of("ca", ca, "certificate", ca, "key", key));
      assertThat(call(known)).isInstanceOf(Result.Succeeded.class);
    } finally {
      own.stop(0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "good.test,true",
    "GOOD.test,true",
    "a.wild.test,true",
    "bad.test,false",
    "a.b.wild.test,false",
    "wild.test,false"
  })
  void a_certificate_must_be_valid_for_the_name_and_not_for_the_address(
      String name, boolean trusted) throws Exception {
    HttpsServer own = https(null);
    try {
      String ca = Files.readString(directory.resolve("certificate"));
      TestNames.named(name, "127.0.0.1");
      Map<String, Object> config =
          Map.of("url", address(own).replace("127.0.0.1", name), "tls", Map.of("ca", ca));
      Result result =
          executor.execute(Calls.granted(Calls.of("http", config, log), grants("*", "127.0.0.1")));
      assertThat(result instanceof Result.Succeeded).as("%s", result).isEqualTo(trusted);
      assertThat(seen).hasSize(trusted ? 1 : 0);
    } finally {
      own.stop(0);
    }
  }

  @Test
  void tls_settings_that_cannot_be_used_are_told_without_their_text() throws Exception {
    String url = "https://127.0.0.1:1/";
    assertThat(error(call(Map.of("url", url, "tls", Map.of("caa", "x")))).message())
        .contains("'caa'");
    assertThat(error(call(Map.of("url", url, "tls", Map.of("ca", "hello")))).message())
        .contains("tls.ca holds no certificate")
        .doesNotContain("hello");
    assertThat(error(call(Map.of("url", url, "tls", Map.of("key", "planted")))).message())
        .contains("both 'certificate' and 'key'")
        .doesNotContain("planted");
  }

  private static String address(HttpsServer server) {
    return "https://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** With a certificate for 127.0.0.1; asks for one of the client when {@code clients} is given. */
  private HttpsServer https(@Nullable String clients) throws Exception {
    KeyStore store = keys();
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(store, "secret".toCharArray());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), trust.getTrustManagers(), null);
    HttpsServer own =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    own.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters wanted = context.getDefaultSSLParameters();
            wanted.setNeedClientAuth(clients != null);
            parameters.setSSLParameters(wanted);
          }
        });
    own.createContext("/", this::serve);
    own.start();
    return own;
  }

  private static synchronized KeyStore keys() throws Exception {
    Path keys = directory.resolve("keys");
    if (!Files.exists(keys)) {
      keytool(
          "-genkeypair -keyalg EC -alias a -dname CN=127.0.0.1"
              + " -ext san=ip:127.0.0.1,dns:good.test,dns:*.wild.test"
              + " -storepass secret -keystore "
              + keys);
      Path certificate = directory.resolve("certificate");
      keytool(
          "-exportcert -rfc -alias a -storepass secret -file "
              + certificate
              + " -keystore "
              + keys);
      keytool(
          "-importcert -noprompt -alias trusted -storepass secret -file "
              + certificate
              + " -keystore "
              + keys);
    }
    return KeyStore.getInstance(keys.toFile(), "secret".toCharArray());
  }

  private static void keytool(String arguments) throws Exception {
    String keytool = System.getProperty("java.home") + "/bin/keytool";
    Process process =
        new ProcessBuilder((keytool + " " + arguments).split(" "))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor()).isZero();
  }

  private static String exported() throws Exception {
    byte[] key = keys().getKey("a", "secret".toCharArray()).getEncoded();
    return "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(key)
        + "\n-----END PRIVATE KEY-----\n";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..",
        "../blue",
        "x/../../blue",
        "%2e%2e/blue",
        ".%2E%2fblue",
        "..;/blue",
        "..%5cblue"
      })
  void a_value_in_the_path_does_not_climb_out_of_it(String value) throws InterruptedException {
    StepError error = error(call(Map.of("url", url("/red/" + value))));
    assertThat(error.code()).isEqualTo("invalid-request");
    assertThat(error.message()).contains("segment '..'");
    assertThat(seen).isEmpty();
  }

  @Test
  void a_value_cannot_add_a_header_of_its_own() throws InterruptedException {
    for (Map<String, Object> headers :
        List.<Map<String, Object>>of(
            Map.of("X-A", "1\r\nX-Evil: 2"), Map.of("X-A\r\nX-Evil", "1"))) {
      assertThat(error(call(Map.of("url", url("/x"), "headers", headers))).code())
          .isEqualTo("invalid-request");
    }
    assertThat(seen).isEmpty();
  }
}
