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
 * The private directory of one attempt: script, home, temporary files, output file. Removed after
 * the attempt; the next start of the server removes what a crash left.
 */
public final class ScriptDirectory implements AutoCloseable {
  /** Marks that the directory holds the only record of what was created, and under which lock. */
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

  /** The directory of that attempt. */
  public static Path of(Path data, UUID run, String step, int attempt) {
    return allOf(data).resolve(run + "-" + PathName.segment(step) + "-" + attempt);
  }

  /** The directory above those of all attempts. */
  public static Path allOf(Path data) {
    return data.resolve("work");
  }

  /** Creates the directory of this call. */
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
   * Makes this directory and the provider's files accessible to that user. Their siblings stay
   * closed: the user's group alone can traverse the directories above, and not list them.
   */
  public void giveTo(StepUser user) throws IOException {
    user.own(path);
    user.admit(data, path);
    share(user, providerData);
    if (call.scope().providerDirectory() != null) {
      user.admit(data, Path.of(call.scope().providerDirectory()));
    }
  }

  /** Makes that user the owner of a persistent directory of the server, once. */
  public void share(StepUser user, Path lasting) throws IOException {
    if (!user.owns(lasting)) {
      user.own(lasting);
    }
    user.admit(data, lasting);
  }

  /**
   * The command for the script; {@code interpreter} chooses the interpreter by the script's text.
   */
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

  /** The attempt's own directory, or one below the provider's files; no other. */
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

  /** The directory of the provider's files. */
  public Path providerRoot(String field) throws IOException {
    return providerRoot(call, field);
  }

  /** The directory of the provider's files. */
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

  /** Writes a file that only the server's user can read; it is removed with the attempt. */
  public Path file(String name, String text) throws IOException {
    Path wanted = path.resolve(name);
    Files.createDirectories(wanted.getParent());
    Path file =
        Files.createFile(
            wanted,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, text);
  }

  /** A file with this text, to be read as standard input. */
  public Path stdin(String text) throws IOException {
    return Files.writeString(path.resolve("stdin"), text);
  }

  /**
   * The environment of the step's programs: their context and their own values, nothing of the
   * server's.
   */
  public Map<String, String> environment(RenderedScript script, ProgramPath programs) {
    Map<String, String> env = new LinkedHashMap<>();
    env.put("PATH", programs.text());
    env.put("HOME", path.toString());
    env.put("TMPDIR", path.resolve("tmp").toString());
    env.put("LANG", "C.UTF-8");
    StepEnvironment.context(call, env);
    env.put("SLIPWAY_PROVIDER_DATA", providerData.toString());
    if (call.scope().providerDirectory() != null) {
      env.put("SLIPWAY_PROVIDER_DIR", call.scope().providerDirectory());
    }
    env.put("SLIPWAY_OUTPUT", outputFile().toString());
    StepEnvironment.own(call, script, env);
    return env;
  }

  private Path outputFile() {
    return path.resolve("output");
  }

  /** The outputs that the script wrote. */
  public Map<String, Object> outputs(StepCall call, String stdout) throws IOException {
    String name = call.step().outputFile();
    Path file = name == null ? outputFile() : path.resolve(name).normalize();
    String called = called(call);
    if (!file.startsWith(path)) {
      throw new IllegalArgumentException(called + " leads out of the step's directory");
    }
    String text = Files.exists(file, LinkOption.NOFOLLOW_LINKS) ? text(file, called) : null;
    return outputs(call, stdout, text);
  }

  /** The outputs in what a program printed and in the text of its output file. */
  public static Map<String, Object> outputs(StepCall call, String stdout, @Nullable String text) {
    try {
      return OutputParser.parse(call.step(), OutputParser.Material.of(stdout, text));
    } catch (OutputException e) {
      throw new OutputFileException(e.getMessage() + (text == null ? "" : ", in " + called(call)));
    }
  }

  /** What the step's output file is called in errors. */
  public static String called(StepCall call) {
    String name = call.step().outputFile();
    return name == null ? "$SLIPWAY_OUTPUT" : "outputFile '" + name + "'";
  }

  /** Reads a regular file and follows no link: its content becomes outputs that users see. */
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

  /** The outputs of a script cannot be read. */
  public static final class OutputFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OutputFileException(String message) {
      super(message);
    }
  }

  @Override
  public void close() {
    Removal.attempt(path);
  }

  /**
   * Marks that this directory holds the only record of what is created; the reader of the record
   * removes it.
   */
  public void sign(UUID lock) throws IOException {
    Files.writeString(path.resolve(RECORD), lock.toString());
  }

  /**
   * The lock it was signed with; empty for an invalid one, since scripts may write any file of that
   * name.
   */
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
   * Removes the directories that an earlier process of this server left: their attempts may be
   * repeated on another replica or never, and their files may hold secrets. Must be called before
   * this server runs steps.
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
