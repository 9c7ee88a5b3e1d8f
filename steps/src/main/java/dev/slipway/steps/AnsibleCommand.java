package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.steps.process.ScriptDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The command line of an ansible step. Values are passed in files of the private directory, never
 * as arguments, which every user of the machine could read.
 */
final class AnsibleCommand {
  static final String PROGRAM = "ansible-playbook";

  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_.:\\[\\]-]{1,253}");

  /** Ansible's implicit localhost, but also a member of {@code all}. */
  private static final Map<String, Object> OWN_MACHINE =
      Map.of(
          "ansible_connection",
          "local",
          "ansible_python_interpreter",
          "{{ ansible_playbook_python }}");

  private final AnsibleFiles files;
  private final StepCall call;

  AnsibleCommand(AnsibleFiles files, StepCall call) {
    this.files = files;
    this.call = call;
  }

  /** The command line. */
  List<String> line() throws IOException {
    if (!Files.isRegularFile(ScriptDirectory.ofProvider(call, "playbook", text("playbook")))) {
      throw new IllegalArgumentException("playbook '" + text("playbook") + "' is no file");
    }
    List<String> command = new ArrayList<>(List.of(PROGRAM, "--inventory=" + inventory()));
    Map<String, Object> variables = Values.map(call.config().get("variables"));
    if (!variables.isEmpty()) {
      command.add("--extra-vars=@" + files.file("variables.json", Json.write(asData(variables))));
    }
    add(command, "--limit=", limit());
    add(command, "--tags=", tags());
    if (Boolean.parseBoolean(text("check"))) {
      command.add("--check");
    }
    command.add(files.ofProvider("playbook", text("playbook")));
    return command;
  }

  private static void add(List<String> command, String option, String value) {
    if (!value.isBlank()) {
      command.add(option + value);
    }
  }

  private String text(String field) {
    return Objects.toString(call.config().get(field), "");
  }

  /** Rejects a limit that begins with @: Ansible would read a file of the server. */
  private String limit() {
    if (text("limit").strip().startsWith("@")) {
      throw new IllegalArgumentException("limit must be a pattern of hosts, not a file");
    }
    return text("limit");
  }

  private String tags() {
    return call.config().get("tags") instanceof List<?> list
        ? String.join(",", list.stream().map(String::valueOf).toList())
        : text("tags");
  }

  private String inventory() throws IOException {
    Object written = call.config().get("inventory");
    return switch (written) {
      case null -> hosts(List.of("localhost"));
      case List<?> list -> hosts(list);
      case Map<?, ?> map -> files.file("inventory.json", Json.write(asData(map)));
      default ->
          String.valueOf(written).contains(",")
              ? hosts(List.of(String.valueOf(written).split(",")))
              : files.ofProvider("inventory", String.valueOf(written));
    };
  }

  private String hosts(List<?> names) throws IOException {
    Map<String, Object> hosts = new LinkedHashMap<>();
    for (Object written : names) {
      String name = String.valueOf(written).strip();
      if (!HOST.matcher(name).matches()) {
        throw new IllegalArgumentException("inventory: '" + name + "' is no host's name");
      }
      hosts.put(name, name.equals("localhost") ? OWN_MACHINE : Map.of());
    }
    Map<String, Object> inventory = Map.of("all", Map.of("hosts", hosts));
    return files.file("inventory.json", Json.write(inventory));
  }

  /** Tags each text as unsafe, which tells Ansible never to evaluate it as a template. */
  static @Nullable Object asData(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, Object> out = new LinkedHashMap<>();
        map.forEach((k, v) -> out.put(key(String.valueOf(k)), asData(v)));
        yield out;
      }
      case List<?> list -> list.stream().map(AnsibleCommand::asData).collect(Values.toList());
      case String text -> Map.of("__ansible_unsafe", text);
      case null -> null;
      default -> value;
    };
  }

  private static String key(String name) {
    if (name.startsWith("__ansible")) {
      throw new IllegalArgumentException(
          "the name '" + name + "' is Ansible's own and cannot be used for a variable");
    }
    return name;
  }

  /** The environment, in which {@code own} is that of the step; the report goes to that file. */
  Map<String, String> environment(Map<String, String> own, String report) throws IOException {
    Map<String, String> env = new LinkedHashMap<>();
    env.put("ANSIBLE_NOCOLOR", "1");
    env.put("ANSIBLE_CALLBACK_RESULT_FORMAT", "yaml");
    env.put("ANSIBLE_RETRY_FILES_ENABLED", "0");
    env.put("PYTHONUNBUFFERED", "1");
    env.putAll(own);
    env.put("PYTHONDONTWRITEBYTECODE", "1"); // the plugins of the provider stay on the path
    env.merge("ANSIBLE_CALLBACK_PLUGINS", plugins(), (theirs, ours) -> theirs + ":" + ours);
    env.put("SLIPWAY_ANSIBLE_REPORT", report);
    return env;
  }

  private String plugins() throws IOException {
    try (InputStream in = AnsibleCommand.class.getResourceAsStream("slipway_report.py")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      String file = files.file("callback/slipway_report.py", text);
      return file.substring(0, file.lastIndexOf('/'));
    }
  }
}
