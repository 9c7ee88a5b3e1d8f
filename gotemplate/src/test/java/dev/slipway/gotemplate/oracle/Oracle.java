package dev.slipway.gotemplate.oracle;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    Path program = MODULE.resolve("target/oracle");
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
    try {
      return new Dialogue(start("run"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process start(String... arguments) throws IOException {
    List<String> command = new java.util.ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Question and answer over pipes. */
  static final class Dialogue implements AutoCloseable {
    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    private Dialogue(Process process) {
      this.process = process;
      this.questions = process.outputWriter(StandardCharsets.UTF_8);
      this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    OracleCase ask(String question) {
      try {
        questions.write(question);
        questions.newLine();
        questions.flush();
        return OracleCase.of(answers.readLine());
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
