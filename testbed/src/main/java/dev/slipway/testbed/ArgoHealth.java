package dev.slipway.testbed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Argo CD's rules of health, built once per machine from its published source as pinned in {@code
 * testbed/argo-health/go.sum}, and asked one object after the other.
 */
public final class ArgoHealth implements AutoCloseable {
  private static final String ARGO = "github.com/argoproj/argo-cd/v3";
  private static final String ENGINE = "github.com/argoproj/gitops-engine";

  private final ObjectMapper json = new ObjectMapper();
  private final Process process;
  private final BufferedWriter questions;
  private final BufferedReader answers;

  /** What Argo CD says; status and message are empty when the object has no health. */
  public record Verdict(String status, String message, String error) {}

  private ArgoHealth(Process process) {
    this.process = process;
    this.questions = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Builds it if necessary and starts it. */
  public static ArgoHealth start() {
    try {
      return new ArgoHealth(
          new ProcessBuilder(built().toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** By Argo CD's own rules. */
  public Verdict judge(Object object) {
    return ask(Map.of("object", object));
  }

  /** By a script of {@code argocd-cm} that may use the standard libraries. */
  public Verdict judge(Object object, String script) {
    return ask(Map.of("object", object, "script", script, "openLibs", true));
  }

  private Verdict ask(Map<String, Object> question) {
    try {
      questions.write(json.writeValueAsString(question));
      questions.newLine();
      questions.flush();
      JsonNode answer = json.readTree(answers.readLine());
      return new Verdict(
          answer.get("status").asText(),
          answer.get("message").asText(),
          answer.get("error").asText());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the downloaded source of Argo CD is. */
  public static Path argoSource() {
    return module(ARGO);
  }

  /** Where the downloaded source of its GitOps engine is. */
  public static Path engineSource() {
    return module(ENGINE);
  }

  private static Path module(String name) {
    try {
      built();
      return Path.of(
          output(
              new ProcessBuilder("go", "list", "-m", "-f", "{{.Dir}}", name)
                  .directory(source().toFile())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String output(ProcessBuilder builder) throws IOException {
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    end(process);
    return output.strip();
  }

  private static void end(Process process) throws IOException {
    try {
      if (!process.waitFor(20, TimeUnit.MINUTES) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException("go failed: see its output above");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Another source is another program. */
  private static Path cached() throws IOException {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path home = Path.of(System.getProperty("user.home"), ".cache");
    Path base = cache == null || cache.isBlank() ? home : Path.of(cache);
    String state =
        Files.readString(source().resolve("main.go"))
            + Files.readString(source().resolve("go.mod"));
    return base.resolve("slipway")
        .resolve("argo-health")
        .resolve(Integer.toHexString(state.hashCode()))
        .resolve("argo-health");
  }

  private static Path built() throws IOException {
    Path program = cached();
    Files.createDirectories(program.getParent());
    try (FileChannel channel =
            FileChannel.open(
                program.resolveSibling("lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      if (!Files.isExecutable(program)) {
        build(program);
      }
    }
    return program;
  }

  private static void build(Path program) throws IOException {
    Path unfinished = program.resolveSibling("argo-health.unfinished");
    ProcessBuilder go =
        new ProcessBuilder("go", "build", "-trimpath", "-o", unfinished.toString(), ".")
            .directory(source().toFile())
            .inheritIO();
    go.environment().put("CGO_ENABLED", "0");
    end(go.start());
    Files.move(unfinished, program, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The Go module that pins it, found from the working directory of the tests. */
  private static Path source() throws IOException {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path found = at.resolve("testbed").resolve("argo-health");
      if (Files.exists(found.resolve("go.mod"))) {
        return found;
      }
    }
    throw new IOException("testbed/argo-health is not above the working directory");
  }

  @Override
  public void close() throws IOException {
    questions.close();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
    }
  }
}
