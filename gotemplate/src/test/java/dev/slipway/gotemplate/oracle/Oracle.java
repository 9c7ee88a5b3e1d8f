package dev.slipway.gotemplate.oracle;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Real Go: the program in oracle/, built with the installed Go. */
final class Oracle {
  private static final Path MODULE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();

  private final Path program;

  private Oracle(Path program) {
    this.program = program;
  }

  /**
   * Builds the program.
   *
   * @throws Unavailable if Go is not installed, or cannot get the modules that it needs
   */
  static Oracle build() throws Unavailable {
    // Test classes run in several JVMs: a file of its own, since one that runs cannot be written.
    Path program = MODULE.resolve("target/oracle-" + ProcessHandle.current().pid());
    program.toFile().deleteOnExit();
    ProcessBuilder build = new ProcessBuilder("go", "build", "-o", program.toString(), ".");
    build.directory(MODULE.resolve("oracle").toFile()).redirectErrorStream(true);
    try {
      Process process = build.start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new Unavailable("go build failed: " + said);
      }
      return new Oracle(program);
    } catch (IOException e) {
      throw new Unavailable("go is not installed: " + e.getMessage());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Gives random cases with Go's results, each as soon as it is there. */
  void generate(long seed, int count, Consumer<OracleCase> each) {
    try {
      Process process = start("generate", Long.toString(seed), Integer.toString(count));
      process.inputReader(StandardCharsets.UTF_8).lines().map(OracleCase::of).forEach(each);
      if (process.waitFor() != 0) {
        throw new IllegalStateException("the oracle died; it wrote why above");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes the results of all case files into a folder. */
  List<Path> record(Path folder) throws IOException, InterruptedException {
    Process process = start("record", MODULE.resolve("oracle/cases").toString(), folder.toString());
    process.inputReader().lines().forEach(_ -> {});
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the oracle died; it wrote why above");
    }
    try (var files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  /** A running oracle that answers one question at a time. */
  Dialogue talk() {
    return new Dialogue();
  }

  private Process start(String... arguments) throws IOException {
    List<String> command = new java.util.ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Question and answer over pipes. */
  final class Dialogue implements AutoCloseable {
    private Process process;
    private BufferedWriter questions;
    private BufferedReader answers;

    private Dialogue() {
      open();
    }

    private void open() {
      try {
        process = start("run");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      questions = process.outputWriter(StandardCharsets.UTF_8);
      answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Gives nothing if the question was too much for real Go, which has no limits. */
    Optional<OracleCase> ask(String question) {
      try {
        questions.write(question);
        questions.newLine();
        questions.flush();
        Optional<OracleCase> answer = Optional.ofNullable(answers.readLine()).map(OracleCase::of);
        if (answer.isEmpty()) {
          close();
          open();
        }
        return answer;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      process.destroy();
    }
  }

  /** The oracle cannot be asked here. */
  static final class Unavailable extends Exception {
    Unavailable(String message) {
      super(message);
    }
  }
}
