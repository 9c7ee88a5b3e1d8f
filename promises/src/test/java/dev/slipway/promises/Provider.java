package dev.slipway.promises;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The provider of all lives: its steps call the witness, and go wrong where they are to. */
final class Provider {
  private static final String HEAD =
      """
      apiVersion: innominatus.io/v1alpha1
      kind: Workflow
      metadata: {name: x}
      parameters:
        - {name: version, default: '1'}
        - {name: given, default: ''}
      steps:
      """;

  private final Path directory;
  private final String witness;
  private final Map<String, String> types = new LinkedHashMap<>();

  private Provider(Path directory, String witness) {
    this.directory = directory;
    this.witness = witness;
  }

  /** Its files, in that directory. */
  static void write(Path directory, String witness) throws IOException {
    Files.createDirectories(directory);
    Provider provider = new Provider(directory, witness);
    provider.usual();
    provider.interrupted();
    provider.failing();
    Files.writeString(directory.resolve("provider.yaml"), provider.manifest());
  }

  private void usual() throws IOException {
    type("plain", call("one", "one") + call("two", "two"));
    type(
        "parallel",
        call("left", "left, parallel: true")
            + call("right", "right, parallel: true")
            + call("last", "last"));
    type(
        "retrying",
        call("flaky", "flaky/flaky, retry: {attempts: 4, delay: 50ms, jitter: 0}")
            + call("after", "after"));
    type(
        "nested",
        call("outer", "outer")
            + "  - {name: inner, type: workflow, workflow: plain}\n"
            + call("end", "end"));
    workflow("drop", call("drop", "drop"));
  }

  private void interrupted() throws IOException {
    type(
        "approving",
        call("before", "before")
            + "  - {name: sign, type: approval, config: {allowSelf: true}}\n"
            + call("after", "after"));
    type(
        "lasting",
        call("first", "first") + "  - {name: rest, type: wait, config: {duration: 1h}}\n");
    type(
        "stopping",
        call("first", "first")
            + "  - {name: hold, type: shell, config: {script: exec sleep 600}}\n"
            + call("never", "never")
            + call("tidy", "tidy, when: always"));
    type(
        "asking",
        call("make", "make, compensate: [" + inline("undo", "undo") + "]")
            + call("more", "more, compensate: [" + inline("undo-more", "undo-more/refused") + "]")
            + call("manual", "manual, when: manual")
            + "  - {name: sign, type: approval, config: {allowSelf: true}, on_error: rollback}\n");
  }

  private void failing() throws IOException {
    type(
        "undoing",
        call("make", "make, compensate: [" + inline("undo", "undo") + "]")
            + call("more", "more, compensate: [" + inline("undo-more", "undo-more") + "]")
            + call("fail", "fail/refused, on_error: rollback"));
    type(
        "limping",
        call("one", "one")
            + call("not", "not, if: 'false'")
            + "  - {name: broken, type: shell, config: {script: 'echo {{ fail \"no\" }}'},"
            + " on_error: continue}\n"
            + "  - {name: late, type: approval, config: {expires: 300ms}, on_error: continue}\n"
            + "  - {name: refused, type: workflow, workflow: refusing, on_error: continue}\n"
            + "  - {name: again, type: workflow, workflow: passing,"
            + " retry: {attempts: 3, delay: 50ms, jitter: 0}}\n"
            + call("last", "last"));
    workflow("refusing", call("no", "no/refused"));
    workflow("passing", call("passing", "passing/flaky, retry: {attempts: 1}"));
    type(
        "stumbling",
        call("first", "first") + call("create", "create/flaky, retry: {attempts: 1}"),
        "changing",
        "drop");
    workflow(
        "changing", call("again", "again") + call("update", "update/flaky, retry: {attempts: 1}"));
    workflow(
        "tearing",
        call("make", "make, compensate: [" + inline("undo", "undo") + "]")
            + call("fail", "fail/refused, on_error: rollback"));
    types.put("fragile", operations("plain", "tearing", "drop"));
    type("hopeless", call("fail", "fail/refused"), "hopeless", "clinging");
    workflow("clinging", call("drop", "drop/flaky, retry: {attempts: 1}"));
    type("needy", call("needy", "needy"));
  }

  private void type(String name, String steps) throws IOException {
    type(name, steps, name, "drop");
  }

  private void type(String name, String steps, String update, String delete) throws IOException {
    workflow(name, steps);
    types.put(name, operations(name, update, delete));
  }

  private static String operations(String create, String update, String delete) {
    return "{create: {workflow: %s}, update: {workflow: %s}, delete: {workflow: %s}}"
        .formatted(create, update, delete);
  }

  private void workflow(String name, String steps) throws IOException {
    Files.writeString(directory.resolve(name + ".yaml"), HEAD + steps);
  }

  private String manifest() throws IOException {
    StringBuilder text =
        new StringBuilder(
            "apiVersion: v1\nkind: Provider\nmetadata: {name: yard, version: 1.0.0}\n"
                + "capabilities:\n  resourceTypeCapabilities:\n");
    types.forEach(
        (type, operations) ->
            text.append("    - {type: %s, operations: %s}\n".formatted(type, operations)));
    text.append("workflows:\n");
    try (var files = Files.list(directory)) {
      files
          .map(file -> file.getFileName().toString().replace(".yaml", ""))
          .filter(name -> !name.equals("provider"))
          .sorted()
          .forEach(name -> text.append("  - {name: %1$s, file: %1$s.yaml}\n".formatted(name)));
    }
    return text.toString();
  }

  /** A step that calls the witness; {@code effect} may be followed by more fields. */
  private String call(String name, String effect) {
    return "  - " + inline(name, effect) + "\n";
  }

  private String inline(String name, String effect) {
    String path = effect.replaceAll(",.*", "");
    String more = effect.substring(path.length());
    return "{name: %s, type: http, config: {method: POST, url: '%s/{{ .parameters.app_name }}/%s'}%s}"
        .formatted(name, witness, path, more);
  }
}
