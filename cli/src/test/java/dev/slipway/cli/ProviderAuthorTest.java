package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.value.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class ProviderAuthorTest {
  @TempDir Path directory;
  private final Cli cli = new Cli();

  private Path init(String name) {
    Path where = directory.resolve(name);
    cli.run("provider", "init", name, "--type", "note", "--dir", where).expect(ExitCode.OK);
    return where;
  }

  @Test
  void a_new_provider_validates_strictly_and_its_tests_pass() throws Exception {
    Path provider = init("notes");
    Cli.Result valid = cli.run("provider", "validate", provider, "--strict").expect(ExitCode.OK);
    assertThat(valid.out()).isEqualTo(provider + ": valid\n");

    Path junit = directory.resolve("reports/junit.xml");
    Cli.Result test = cli.run("provider", "test", provider, "--junit", junit).expect(ExitCode.OK);
    assertThat(test.err())
        .contains(
            "6 passed",
            "made without a reservation, and another team does not reach it",
            "a small one is made without a reservation");
    Document xml =
        DocumentBuilderFactory.newDefaultNSInstance().newDocumentBuilder().parse(junit.toFile());
    Element suites = xml.getDocumentElement();
    assertThat(suites.getTagName()).isEqualTo("testsuites");
    Element suite = (Element) suites.getElementsByTagName("testsuite").item(0);
    for (Element counted : List.of(suites, suite)) {
      assertThat(counted.getAttribute("tests")).isEqualTo("6");
      assertThat(counted.getAttribute("failures")).isEqualTo("0");
      assertThat(counted.getAttribute("errors")).isEqualTo("0");
    }
    assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(6);
    assertThat(serverOf(junit)).doesNotExist();
  }

  @Test
  void what_differs_is_shown_reported_to_build_servers_and_leaves_nothing_behind()
      throws Exception {
    Path provider = init("notes");
    Files.writeString(
        provider.resolve("tests/life.yaml"),
        """
        apiVersion: slipway.dev/v1alpha1
        kind: ProviderTest
        cases:
          - name: wrong on purpose
            type: note
            params: {owner: dora}
            expect:
              state: active
              steps: [make: succeeded, reserve: succeeded]
              outputs: {size: large, owner: dora, path: {matches: '^/nowhere'}}
          - name: inputs and attempts
            type: note
            params: {owner: dora}
            recorded:
              make: {stdout: "OUTPUT_path=/recorded/place"}
            expect:
              steps:
                - name: make
                  status: succeeded
                  attempts: 1
                  inputs: {script: {contains: "dora"}}
                  outputs: {path: /recorded/place}
                - reserve: skipped
              outputs: {path: /recorded/place}
          - name: fails although it should not
            type: note
            recorded: {make: {failure: {code: disk-full, message: no room <&> left}}}
          - name: backups must stay on
            type: note
            params: {backups: false}
            policies: {enforceBackups: true}
            expect: {refused: {code: backups-required}}
        """);
    Path junit = directory.resolve("junit.xml");
    Cli.Result test =
        cli.run("provider", "test", provider, "--junit", junit, "-o", "json")
            .expect(ExitCode.FAILED);
    assertThat(test.err())
        .contains(
            "2 passed, 2 failed",
            "ok      inputs and attempts",
            "ok      backups must stay on",
            "tests/life.yaml:4:5: create",
            "steps.reserve\n              - succeeded\n              + skipped",
            "outputs.size\n              - \"large\"\n              + \"small\"",
            "- matches: ^/nowhere",
            "- active\n              + failed, because: step 'make' failed: no room <&> left");
    List<?> rows = (List<?>) Json.read(test.out());
    assertThat(rows).hasSize(4);
    Document xml =
        DocumentBuilderFactory.newDefaultNSInstance().newDocumentBuilder().parse(junit.toFile());
    assertThat(xml.getDocumentElement().getAttribute("failures")).isEqualTo("2");
    Element failure = (Element) xml.getElementsByTagName("failure").item(1);
    assertThat(failure.getAttribute("message")).contains("life.yaml");
    assertThat(failure.getTextContent()).contains("no room <&> left");
    assertThat(serverOf(junit)).doesNotExist();
  }

  @Test
  void one_case_can_be_picked_and_what_it_did_kept() throws Exception {
    Path provider = init("notes");
    Cli.Result test =
        cli.run("provider", "test", provider, "--filter", "SMALL one is", "--keep")
            .expect(ExitCode.OK);
    assertThat(test.err()).contains("2 passed", " up --data ");
    Path kept =
        Path.of(
            test.err()
                .lines()
                .filter(l -> l.startsWith("Kept in "))
                .findFirst()
                .orElseThrow()
                .replaceAll("Kept in (.*)\\. Look.*", "$1"));
    try (Stream<Path> files = Files.walk(kept)) {
      assertThat(files.filter(f -> f.endsWith("settings.json")).map(Path::toString))
          .filteredOn(f -> f.contains("/a-small-one-is-made-"))
          .hasSize(1);
    }
    remove(kept);
    Cli.Result none = cli.run("provider", "test", provider, "--filter", "x y z");
    none.expect(ExitCode.USAGE);
    assertThat(none.err()).contains("a small one is made without a reservation");
  }

  @Test
  void interrupting_a_test_leaves_neither_files_nor_processes() throws Exception {
    Path provider = init("notes");
    Path temporary = Files.createDirectories(directory.resolve("tmp"));
    try (Pty pty =
        new Pty(
            List.of("-Djava.io.tmpdir=" + temporary),
            List.of("provider", "test", provider.toString()),
            directory)) {
      pty.sees("ok ").types("\u0003");
      assertThat(pty.exitCode()).isEqualTo(130);
    }
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left.filter(p -> p.getFileName().toString().startsWith("slipway-"))).isEmpty();
    }
    // A server that was asked to end may need a moment.
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(
                        ProcessHandle.allProcesses()
                            .map(p -> p.info().commandLine().orElse(""))
                            .filter(line -> line.contains(temporary.toString())))
                    .isEmpty());
  }

  @Test
  void broken_cases_are_reported_with_their_places() throws Exception {
    Path provider = init("notes");
    Path cases = provider.resolve("tests/life.yaml");
    Files.writeString(
        cases,
        """
        apiVersion: slipway.dev/v1alpha1
        kind: ProviderTest
        cases:
          - name: a
            type: not
            parms: {}
          - name: b
            type: note
            operation: delete
            expect:
              state: activ
              steps: [mak: succeeded]
          - name: c
            type: note
            recorded: {make: {output: {}}}
          - name: d
            type: note
            ownership:
              skip: it is a lookup
              verfy: cat x
        """);
    Cli.Result checked = cli.run("provider", "validate", provider).expect(ExitCode.FAILED);
    assertThat(checked.out())
        .contains(
            "life.yaml:5:11: cases[0].type: the provider has no resource type 'not'. Did you mean"
                + " 'note'?",
            "life.yaml:6:5: cases[0].parms: ",
            "Did you mean 'params'?",
            "life.yaml:9:16: cases[1].operation: ",
            "Did you mean 'active'?",
            "the provider has no step 'mak'. Did you mean 'make'?",
            "Did you mean 'outputs'?",
            "life.yaml:20:7: cases[3].ownership.verfy: ",
            "Did you mean 'verify'?",
            ": invalid");
    cli.run("provider", "test", provider).expect(ExitCode.FAILED);
  }

  @Test
  void names_that_cannot_be_and_directories_that_are_taken_are_refused() throws IOException {
    Cli.Result name = cli.run("provider", "init", "Note_Team", "--dir", directory.resolve("x"));
    name.expect(ExitCode.USAGE);
    assertThat(name.err()).contains("Did you mean 'note-team'?");
    assertThat(directory.resolve("x")).doesNotExist();
    cli.run("provider", "init", "ok-name", "--type", "..", "--dir", directory.resolve("x"))
        .expect(ExitCode.USAGE);
    Path taken = Files.createDirectories(directory.resolve("taken"));
    Files.writeString(taken.resolve("provider.yaml"), "mine");
    Cli.Result refused = cli.run("provider", "init", "notes", "--dir", taken);
    refused.expect(ExitCode.USAGE);
    assertThat(refused.err()).contains("nothing is overwritten");
    assertThat(Files.readString(taken.resolve("provider.yaml"))).isEqualTo("mine");
  }

  @Test
  void validate_takes_many_directories_and_has_output_for_programs() throws IOException {
    Path good = init("good");
    Path bad = init("bad");
    Path manifest = bad.resolve("provider.yaml");
    Files.writeString(
        manifest,
        Files.readString(manifest).replace("./workflows/read.yaml", "./workflows/reed.yaml"));
    Path odd = init("odd");
    Path workflow = odd.resolve("workflows/delete.yaml");
    Files.writeString(
        workflow,
        Files.readString(workflow).replace("steps:", "parameters:\n  - {name: who}\nsteps:")
            + "    env: {A: '{{ .parameters.zzzzz }}'}\n");
    Cli.Result all =
        cli.run("provider", "validate", good, bad, odd, directory.resolve("none"), "-o", "json")
            .expect(ExitCode.FAILED);
    List<?> results = (List<?>) Json.read(all.out());
    assertThat(results.stream().map(r -> (Object) ((Map<?, ?>) r).get("valid")))
        .containsExactly(true, false, true, false);
    assertThat(all.out()).contains("reed.yaml", "no such file", "undeclared-parameter");
    cli.run("provider", "validate", odd).expect(ExitCode.OK);
    cli.run("provider", "validate", odd, "--strict").expect(ExitCode.FAILED);
  }

  /** The directory of the test's server, as what a step printed names it. */
  private static Path serverOf(Path junit) throws IOException {
    Matcher named =
        Pattern.compile("OUTPUT_path=(/.*?slipway-provider-test-[0-9]+)/")
            .matcher(Files.readString(junit));
    assertThat(named.find()).isTrue();
    return Path.of(named.group(1));
  }

  private static void remove(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      all.sorted(java.util.Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
    }
  }
}
