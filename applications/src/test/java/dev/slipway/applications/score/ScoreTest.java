package dev.slipway.applications.score;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.score.ScoreIntake.Outcome;
import dev.slipway.engine.intake.Canonical;
import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Path;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ScoreTest {
  static final String FULL =
      """
      apiVersion: score.dev/v1b1
      metadata:
        name: shop
        team: red
        annotations:
          acme.dev/note: hello
      containers:
        main:
          image: .
          command: [run]
          args: [--fast]
          variables:
            DB: ${resources.db.host}
            NAME: ${metadata.name} $$5
          files:
            /etc/app.conf:
              mode: "0600"
              content: |
                note=${metadata.annotations.acme\\.dev/note}
            /etc/raw: {content: '${not.ours}', noExpand: true}
            /etc/bin: {binaryContent: aGVsbG8=}
            /etc/local: {source: ./local}
          volumes:
            /data: {source: '${resources.data}', path: sub, readOnly: true}
          before:
            proxy: {ready: healthy}
          resources:
            limits: {cpu: 500m, memory: 1Gi}
            requests: {cpu: '0.1'}
          livenessProbe:
            exec: {command: [ok]}
          readinessProbe:
            httpGet: {path: /ready, port: 8080, scheme: HTTPS, httpHeaders: [{name: X-A, value: b}]}
        proxy: {image: proxy:1}
      service:
        ports:
          web: {port: 80, targetPort: 8080}
          dns: {port: 53, protocol: UDP}
      resources:
        db:
          type: postgres
          class: large
          params:
            volume: ${resources.data.path}
            big: 123456789012345678901234567890
            public: false
            image: ${containers.main.image}
        data: {type: volume, id: shared.data, metadata: {annotations: {
          slipway.dev/deletion-policy: retain, slipway.dev/shared-with: 'blue, green',
          slipway.dev/workflow-tags: 'scaling, config'}}}
      """;

  private static Outcome read(String text, Submission submission) {
    return ScoreIntake.read("score.yaml", text.getBytes(StandardCharsets.UTF_8), submission);
  }

  private static Score accepted(String text, Submission submission) {
    return switch (read(text, submission)) {
      case Outcome.Accepted(Score score, var _) -> score;
      case Outcome.Refused refused -> throw new AssertionError(refused.diagnostics().toString());
    };
  }

  @Test
  void a_full_document_becomes_a_model() {
    Score score = accepted(FULL, Submission.OFFLINE);
    assertThat(score.name()).isEqualTo("shop");
    assertThat(score.metadata().annotations()).isEqualTo(Map.of("acme.dev/note", "hello"));
    assertThat(score.metadata().values()).containsEntry("team", "red");
    assertThat(score.containers().keySet()).containsExactly("main", "proxy");
    assertThat(score.ports())
        .isEqualTo(
            Map.of(
                "web", new Score.Port("web", 80, 8080, "TCP"),
                "dns", new Score.Port("dns", 53, 53, "UDP")));
    assertThat(score.environment()).isEmpty();
  }

  @Test
  void a_container_keeps_everything_that_was_written() {
    Score.Container main = accepted(FULL, Submission.OFFLINE).containers().get("main");
    assertThat(main.command()).containsExactly("run");
    assertThat(main.args()).containsExactly("--fast");
    assertThat(main.variables()).containsEntry("DB", "${resources.db.host}");
    assertThat(main.files())
        .containsEntry(
            "/etc/app.conf",
            new Score.MountedFile(
                new Score.Content.Expanded("note=${metadata.annotations.acme\\.dev/note}\n"),
                Optional.of("0600")))
        .containsEntry(
            "/etc/raw",
            new Score.MountedFile(new Score.Content.Verbatim("${not.ours}"), Optional.empty()))
        .containsEntry(
            "/etc/bin",
            new Score.MountedFile(new Score.Content.Binary("aGVsbG8="), Optional.empty()))
        .containsEntry(
            "/etc/local",
            new Score.MountedFile(
                new Score.Content.Source("./local", Score.Expansion.PLACEHOLDERS),
                Optional.empty()));
    assertThat(main.volumes())
        .containsEntry(
            "/data",
            new Score.Volume("${resources.data}", Optional.of("sub"), Score.Access.READ_ONLY));
    assertThat(main.before()).containsEntry("proxy", Score.Readiness.HEALTHY);
    assertThat(main.limits()).isEqualTo(new Score.Compute(Optional.of("500m"), Optional.of("1Gi")));
    assertThat(main.livenessProbe().orElseThrow().exec()).contains(List.of("ok"));
    assertThat(main.readinessProbe().orElseThrow().httpGet())
        .contains(
            new Score.HttpGet(
                "/ready", 8080, Optional.empty(), "HTTPS", List.of(new Score.Header("X-A", "b"))));
  }

  @Test
  void resources_have_identity_types_kept_and_dependencies() {
    Score score = accepted(FULL, Submission.OFFLINE);
    Score.Resource db = score.resources().get("db");
    Score.Resource data = score.resources().get("data");
    assertThat(score.identity(db)).hasToString("postgres.large#shop.db");
    assertThat(score.identity(data)).hasToString("volume.default#shared.data");
    assertThat(ResourceIdentity.parse("volume.default#shared.data"))
        .isEqualTo(score.identity(data));
    assertThat(db.paramsOrEmpty())
        .containsEntry("public", false)
        .containsEntry("big", new BigInteger("123456789012345678901234567890"));
    assertThat(db.dependsOn()).isEqualTo(Set.of("data"));
    assertThat(data.params()).isNull();
    assertThat(data.deletionPolicy()).contains(DeletionPolicy.RETAIN);
    assertThat(data.sharing().allows("blue")).isTrue();
    assertThat(data.sharing().allows("red")).isFalse();
    assertThat(data.workflowTags()).containsExactly("scaling", "config");
    assertThat(score.document().position(db.path().child("type"))).hasToString("41:11");
  }

  @Test
  void an_image_comes_with_the_request() {
    String text = FULL.replace("{source: ./local}", "{content: x}");
    Score score = accepted(text, Submission.uploaded(Map.of("main", "shop:7", "proxy", "proxy:2")));
    assertThat(score.containers().get("main").image()).isEqualTo("shop:7");
    assertThat(score.containers().get("proxy").image()).isEqualTo("proxy:2");
    assertThat(score.document().at(Path.of("containers", "main", "image")))
        .hasValueSatisfying(image -> assertThat(image.plain()).isEqualTo("shop:7"));
  }

  @Test
  void replacing_a_written_image_is_said_and_an_unknown_container_refused() {
    String text = FULL.replace("{source: ./local}", "{content: x}");
    var replaced = read(text, Submission.uploaded(Map.of("main", "a", "proxy", "b")));
    assertThat(replaced.diagnostics())
        .anyMatch(d -> d.code().equals("image-replaced") && d.line() == 34);
    var refused = read(text, Submission.uploaded(Map.of("main", "a", "porxy", "b")));
    assertThat(refused).isInstanceOf(Outcome.Refused.class);
    assertThat(refused.diagnostics().stream().filter(Diagnostic::isError).toList().toString())
        .contains("score.yaml:7:1: containers: the request supplies an image for 'porxy'")
        .contains("Did you mean 'proxy'?");
  }

  @Test
  void a_legacy_environment_is_taken_out_of_the_document() {
    Score score = accepted("environment: {type: staging, ttl: 1d12h}\n" + FULL, Submission.OFFLINE);
    assertThat(score.environment())
        .contains(
            new Score.RequestedEnvironment(
                "staging", Optional.of("staging"), Optional.of(Duration.ofHours(36))));
    assertThat(score.document().at(Path.of("environment"))).isEmpty();
  }

  @Test
  void what_was_accepted_once_is_accepted_again_from_its_stored_form() {
    Score score = accepted(FULL, Submission.OFFLINE);
    String stored = Canonical.text(score.document().plain());
    assertThat(accepted(stored, Submission.OFFLINE).resources()).isEqualTo(score.resources());
  }

  @Test
  void many_threads_read_at_once_and_see_the_same() throws Exception {
    String wrong =
        FULL.replace("type: postgres", "tpye: postgres").replace("port: 80,", "port: 0,");
    var good = read(FULL, Submission.OFFLINE).diagnostics();
    var bad = read(wrong, Submission.OFFLINE).diagnostics();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers = new ArrayList<Future<List<Diagnostic>>>();
      for (int i = 0; i < 200; i++) {
        String text = i % 2 == 0 ? FULL : wrong;
        answers.add(threads.submit(() -> read(text, Submission.OFFLINE).diagnostics()));
      }
      for (int i = 0; i < answers.size(); i++) {
        assertThat(answers.get(i).get()).isEqualTo(i % 2 == 0 ? good : bad);
      }
    }
    assertThat(bad.stream().filter(Diagnostic::isError)).hasSize(3);
  }

  @Test
  void sharing_names_teams_or_everybody() {
    assertThat(Sharing.parse("red, blue,")).isEqualTo(new Sharing(Set.of("red", "blue"), false));
    assertThat(Sharing.parse("*").allows("anyone")).isTrue();
    assertThat(Sharing.parse("")).isEqualTo(Sharing.NONE);
    assertThat(Sharing.NONE.allows("red")).isFalse();
  }
}
