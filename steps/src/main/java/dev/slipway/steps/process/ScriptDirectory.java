package dev.slipway.steps.process;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.intake.SizeText;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.workflow.OutputException;
import dev.slipway.engine.workflow.OutputParser;
import dev.slipway.engine.workflow.RenderedScript;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The private directory of one attempt: script, home, temporary files, output file. Gone when the
 * attempt is over; what a crash leaves behind is removed when the server is back.
 */
public final class ScriptDirectory implements AutoCloseable {
  /** Says that the directory holds the only record of what was made, and under which lock. */
  private static final String RECORD = "lock";

  private static final Logger LOG = LoggerFactory.getLogger(ScriptDirectory.class);
  private static final int LARGEST_OUTPUT = 1024 * 1024;
  private static final int UUID_LENGTH = 36;

  private final Path data;
  private final Path path;
  private final Path providerData;
  private final StepCall call;

  private ScriptDirectory(Path data, Path path, Path providerData, StepCall call) {
    this.data = data;
    this.path = path;
    this.providerData = providerData;
    this.call = call;
  }

  /** Where that attempt has its directory. */
  public static Path of(Path data, UUID run, String step, int attempt) {
    return allOf(data).resolve(run + "-" + PathName.segment(step) + "-" + attempt);
  }

  /** Where all attempts have their directories. */
  public static Path allOf(Path data) {
    return data.resolve("work");
  }

  /** A new one for this call. */
  public static ScriptDirectory create(Path data, StepCall call) throws IOException {
    Path path = of(data, call.run(), call.step().name(), call.attempt());
    Removal.of(path);
    Files.createDirectories(allOf(data));
    Files.createDirectory(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.createDirectory(path.resolve("tmp"));
    Path providerData =
        PathName.below(
            data.resolve("providers").toAbsolutePath().normalize(), call.scope().provider());
    Files.createDirectories(providerData);
    return new ScriptDirectory(data, path, providerData, call);
  }

  /** The directory itself. */
  public Path path() {
    return path;
  }

  /**
   * Lets that user work here and with the provider's files. What lies beside them stays closed: the
   * directories on the way can be gone through and not listed, by the user's group alone.
   */
  public void giveTo(StepUser user) throws IOException {
    user.own(path);
    user.admit(data, path);
    share(user, providerData);
    if (call.scope().providerDirectory() != null) {
      user.admit(data, Path.of(call.scope().providerDirectory()));
    }
  }

  /** Gives that user a directory of the server's that lasts, once. */
  public void share(StepUser user, Path lasting) throws IOException {
    if (!user.owns(lasting)) {
      user.own(lasting);
    }
    user.admit(data, lasting);
  }

  /** How to run the script, by the interpreter that is found for its text. */
  public List<String> command(String script, Function<String, List<String>> interpreter)
      throws IOException {
    Path file = path.resolve("script");
    if (script.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("the script has a NUL character, which no shell reads");
    }
    String unix = script.replace("\r\n", "\n");
    Files.writeString(file, unix);
    List<String> command = new ArrayList<>(interpreter.apply(unix));
    command.add(file.toString());
    return command;
  }

  /** The attempt's own directory, or one below the provider's files; never anything else. */
  public Path workingDirectory(@Nullable String asked) throws IOException {
    if (asked == null || asked.isBlank()) {
      return path;
    }
    Path wanted = ofProvider("workingDir", asked);
    if (!Files.isDirectory(wanted)) {
      throw new IllegalArgumentException(
          "workingDir '" + asked + "' is no directory of the provider");
    }
    return wanted;
  }

  /** Where the provider's files are. */
  public Path providerRoot(String field) throws IOException {
    return providerRoot(call, field);
  }

  /** Where the provider's files are. */
  public static Path providerRoot(StepCall call, String field) throws IOException {
    if (call.scope().providerDirectory() == null) {
      throw new IllegalArgumentException(field + " needs a provider with files of its own");
    }
    return Path.of(call.scope().providerDirectory()).toRealPath();
  }

  /** A file or directory of the provider's; a link may not lead out of them. */
  public Path ofProvider(String field, String asked) throws IOException {
    return ofProvider(call, field, asked);
  }

  /** A file or directory of the provider's; a link may not lead out of them. */
  public static Path ofProvider(StepCall call, String field, String asked) throws IOException {
    Path root = providerRoot(call, field);
    Path wanted = root.resolve(asked).normalize();
    if (List.of(asked.split("/")).contains("..") || !wanted.startsWith(root)) {
      throw new IllegalArgumentException(
          field + " '" + asked + "' leads out of the provider's directory");
    }
    if (!Files.exists(wanted)) {
      throw new IllegalArgumentException(field + ": the provider has no file '" + asked + "'");
    }
    if (!wanted.toRealPath().startsWith(root)) {
      throw new IllegalArgumentException(
          field + " '" + asked + "' is a link out of the provider's directory");
    }
    return wanted;
  }

  /** A file that only this user can read, gone with the attempt. */
  public Path file(String name, String text) throws IOException {
    Path file =
        Files.createFile(
            path.resolve(name),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, text);
  }

  /** A file with this text, to be read as standard input. */
  public Path stdin(String text) throws IOException {
    return Files.writeString(path.resolve("stdin"), text);
  }

  /** What programs of the step see: who they work for, their own values, nothing of the server. */
  public Map<String, String> environment(RenderedScript script, ProgramPath programs) {
    Map<String, String> env = new LinkedHashMap<>();
    env.put("PATH", programs.text());
    env.put("HOME", path.toString());
    env.put("TMPDIR", path.resolve("tmp").toString());
    env.put("LANG", "C.UTF-8");
    StepCall.Scope scope = call.scope();
    put(env, "APP_NAME", scope.application());
    put(env, "SLIPWAY_APPLICATION", scope.application());
    put(env, "SLIPWAY_ENVIRONMENT", scope.environment());
    put(env, "SLIPWAY_TEAM", scope.team());
    put(env, "SLIPWAY_RESOURCE", scope.resourceName());
    put(env, "SLIPWAY_RESOURCE_TYPE", scope.resourceType());
    put(env, "SLIPWAY_OPERATION", scope.operation());
    put(env, "SLIPWAY_RUN", call.run().toString());
    put(env, "SLIPWAY_STEP", call.step().name());
    put(env, "SLIPWAY_ATTEMPT", String.valueOf(call.attempt()));
    put(env, "SLIPWAY_PROVIDER_DATA", providerData.toString());
    put(env, "SLIPWAY_PROVIDER_DIR", scope.providerDirectory());
    put(env, "SLIPWAY_OUTPUT", outputFile().toString());
    env.putAll(call.env());
    if (call.config().get("env") instanceof Map<?, ?> more) {
      more.forEach((k, v) -> put(env, String.valueOf(k), v == null ? "" : text(v)));
    }
    env.putAll(script.env());
    env.forEach(ScriptDirectory::check);
    return env;
  }

  private static void check(String name, String value) {
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "the value for " + name + " has a NUL character, which no program can be given");
    }
  }

  private static void put(Map<String, String> env, String name, @Nullable String value) {
    if (value != null) {
      env.put(name, value);
    }
  }

  private static String text(Object value) {
    return value instanceof String s ? s : dev.slipway.engine.value.Json.write(value);
  }

  private Path outputFile() {
    return path.resolve("output");
  }

  /** What the script said about its outputs. */
  public Map<String, Object> outputs(StepCall call, String stdout) throws IOException {
    String name = call.step().outputFile();
    Path file = name == null ? outputFile() : path.resolve(name).normalize();
    String called = name == null ? "$SLIPWAY_OUTPUT" : "outputFile '" + name + "'";
    if (!file.startsWith(path)) {
      throw new IllegalArgumentException(called + " leads out of the step's directory");
    }
    String text = Files.exists(file, LinkOption.NOFOLLOW_LINKS) ? text(file, called) : null;
    try {
      return OutputParser.parse(call.step(), OutputParser.Material.of(stdout, text));
    } catch (OutputException e) {
      throw new OutputFileException(e.getMessage() + (text == null ? "" : ", in " + called));
    }
  }

  /** A file, and none that leads elsewhere: what is read becomes outputs that people see. */
  private String text(Path file, String called) throws IOException {
    if (!file.toRealPath(LinkOption.NOFOLLOW_LINKS).startsWith(path.toRealPath())
        || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new OutputFileException(called + " is no plain file but " + kind(file));
    }
    long size = Files.size(file);
    if (size > LARGEST_OUTPUT) {
      throw new OutputFileException(
          called + " has " + SizeText.print(size) + "; outputs have at most 1 MiB");
    }
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new OutputFileException(called + " is not text in UTF-8");
    }
  }

  private static String kind(Path file) {
    return Files.isSymbolicLink(file)
        ? "a link"
        : Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)
            ? "a directory"
            : Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                ? "one behind a link"
                : "a pipe or device";
  }

  /** What a script left as its outputs cannot be read. */
  public static final class OutputFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputFileException(String message) {
      super(message);
    }
  }

  @Override
  public void close() {
    Removal.attempt(path);
  }

  /** From now on it holds the only record of what is made; whoever reads it removes it. */
  public void sign(UUID lock) throws IOException {
    Files.writeString(path.resolve(RECORD), lock.toString());
  }

  /** With which lock it was signed; scripts may have made anything by that name. */
  public static Optional<UUID> signature(Path directory) throws IOException {
    Path record = directory.resolve(RECORD);
    if (!Files.isRegularFile(record, LinkOption.NOFOLLOW_LINKS)
        || Files.size(record) != UUID_LENGTH) {
      return Optional.empty();
    }
    try {
      return Optional.of(UUID.fromString(Files.readString(record, StandardCharsets.ISO_8859_1)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Removes what an earlier process of this server left: attempts that died with it may be repeated
   * elsewhere or never, and their values are nobody's business. For a server that runs nothing yet.
   */
  public static void removeAll(Path data) {
    Path work = allOf(data);
    if (!Files.isDirectory(work)) {
      return;
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(work)) {
      for (Path directory : all) {
        if (!holdsRecord(directory)) {
          Removal.attempt(directory);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.warn("cannot remove what interrupted steps left in {}: {}", work, e.toString());
    }
  }

  private static boolean holdsRecord(Path directory) {
    try {
      return signature(directory).isPresent();
    } catch (IOException e) {
      LOG.warn("cannot read whether {} is needed, so it stays: {}", directory, e.toString());
      return true;
    }
  }
}
