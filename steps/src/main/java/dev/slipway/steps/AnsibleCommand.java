package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.RenderedScript;
import dev.slipway.steps.process.Program;
import dev.slipway.steps.process.ScriptDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

  private final ScriptDirectory directory;
  private final StepCall call;
  private final ProgramPath programs;
  private final Path reportFile;

  AnsibleCommand(ScriptDirectory directory, StepCall call, ProgramPath programs) {
    this.directory = directory;
    this.call = call;
    this.programs = programs;
    this.reportFile = directory.path().resolve("report.json");
  }

  Program program(Duration timeout) throws IOException {
    Path playbook = directory.ofProvider("playbook", text("playbook"));
    if (!Files.isRegularFile(playbook)) {
      throw new IllegalArgumentException("playbook '" + text("playbook") + "' is no file");
    }
    List<String> command = new ArrayList<>(List.of(PROGRAM, "--inventory=" + inventory()));
    Map<String, Object> variables = Values.map(call.config().get("variables"));
    if (!variables.isEmpty()) {
      Path file = directory.file("variables.json", Json.write(asData(variables)));
      command.add("--extra-vars=@" + file);
    }
    add(command, "--limit=", limit());
    add(command, "--tags=", tags());
    if (Boolean.parseBoolean(text("check"))) {
      command.add("--check");
    }
    command.add(playbook.toString());
    return new Program(
        command,
        directory.providerRoot("playbook"),
        environment(),
        directory.stdin(""),
        timeout,
        call.key());
  }

  /** The report of the callback plugin; empty when the playbook did not get that far. */
  AnsibleReport report() throws IOException {
    return AnsibleReport.read(reportFile);
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

  private Path inventory() throws IOException {
    Object written = call.config().get("inventory");
    return switch (written) {
      case null -> hosts(List.of("localhost"));
      case List<?> list -> hosts(list);
      case Map<?, ?> map -> directory.file("inventory.json", Json.write(asData(map)));
      default ->
          String.valueOf(written).contains(",")
              ? hosts(List.of(String.valueOf(written).split(",")))
              : directory.ofProvider("inventory", String.valueOf(written));
    };
  }

  private Path hosts(List<?> names) throws IOException {
    Map<String, Object> hosts = new LinkedHashMap<>();
    for (Object written : names) {
      String name = String.valueOf(written).strip();
      if (!HOST.matcher(name).matches()) {
        throw new IllegalArgumentException("inventory: '" + name + "' is no host's name");
      }
      hosts.put(name, name.equals("localhost") ? OWN_MACHINE : Map.of());
    }
    Map<String, Object> inventory = Map.of("all", Map.of("hosts", hosts));
    return directory.file("inventory.json", Json.write(inventory));
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

  private Map<String, String> environment() throws IOException {
    Map<String, String> env = new LinkedHashMap<>();
    env.put("ANSIBLE_NOCOLOR", "1");
    env.put("ANSIBLE_CALLBACK_RESULT_FORMAT", "yaml");
    env.put("ANSIBLE_RETRY_FILES_ENABLED", "0");
    env.put("PYTHONUNBUFFERED", "1");
    env.putAll(directory.environment(new RenderedScript("", Map.of()), programs));
    env.put("PYTHONDONTWRITEBYTECODE", "1"); // the plugins of the provider stay on the path
    env.merge("ANSIBLE_CALLBACK_PLUGINS", plugins().toString(), (own, ours) -> own + ":" + ours);
    env.put("SLIPWAY_ANSIBLE_REPORT", reportFile.toString());
    return env;
  }

  private Path plugins() throws IOException {
    Path plugins = Files.createDirectory(directory.path().resolve("callback"));
    try (InputStream in = AnsibleCommand.class.getResourceAsStream("slipway_report.py")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      Files.writeString(plugins.resolve("slipway_report.py"), text);
    }
    return plugins;
  }
}
