package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.resolve.Manifest.Entry;
import dev.slipway.engine.resolve.Resolution.Definition;
import dev.slipway.engine.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.semver4j.Semver;

/** Loads one provider from a directory: manifest, workflows, all problems at once. */
public final class ProviderLoader {
  /** The version of what providers can rely on; not the version of the build. */
  public static final String CONTRACT_VERSION = "1.0.0";

  private final WorkflowShelf workflows;
  private final ProgramCheck programs;

  /** Workflow files are read by {@code workflows}; their programs are not checked. */
  public ProviderLoader(WorkflowReader workflows) {
    this(workflows, ProgramCheck.NONE);
  }

  /** Workflow files are read by {@code workflows}, and the programs they need looked for. */
  public ProviderLoader(WorkflowReader workflows, ProgramCheck programs) {
    this.workflows = new WorkflowShelf(workflows);
    this.programs = programs;
  }

  /** Either a provider, or why it cannot be used; warnings come with both. */
  public record Loaded(
      String name,
      Optional<Provider> provider,
      ProviderProblem.Kind problem,
      List<Diagnostic> diagnostics) {}

  /** Loads what is in the directory now. */
  public Loaded load(ProviderSource source, Path directory, @Nullable String commit) {
    Diagnostics diagnostics = new Diagnostics();
    Optional<Path> file = manifestFile(directory);
    if (file.isEmpty()) {
      report(
          diagnostics,
          label(source, directory, directory),
          "no provider.yaml in this directory",
          "A provider's directory has a provider.yaml.");
      return new Loaded(
          source.label(), Optional.empty(), ProviderProblem.Kind.BROKEN, diagnostics.all());
    }
    String label = label(source, directory, file.get());
    Optional<Document> document = read(file.get(), label, diagnostics);
    if (document.isEmpty()) {
      return new Loaded(
          source.label(), Optional.empty(), ProviderProblem.Kind.BROKEN, diagnostics.all());
    }
    Manifest manifest = new ManifestParser(document.get(), diagnostics).parse();
    String name = manifest.name().isEmpty() ? source.label() : manifest.name();
    if (!diagnostics.hasErrors() && !compatible(manifest)) {
      report(
          diagnostics,
          label,
          "made for contract versions " + range(manifest) + "; this is " + CONTRACT_VERSION,
          "Use a version of the provider that supports it.");
      return new Loaded(
          name, Optional.empty(), ProviderProblem.Kind.INCOMPATIBLE, diagnostics.all());
    }
    String hash = ContentHash.of(directory);
    Map<String, List<Diagnostic>> missing = new LinkedHashMap<>();
    Map<String, Definition> definitions =
        definitions(manifest, source, directory, commit, hash, diagnostics, missing);
    Optional<Provider> provider =
        diagnostics.hasErrors()
            ? Optional.empty()
            : Optional.of(
                new Provider(manifest, source, label, commit, hash, definitions, lacks(missing)));
    missing.values().forEach(diagnostics::addAll);
    List<Diagnostic> together = provider.map(ProviderLoader::together).orElse(List.of());
    if (!together.isEmpty()) {
      diagnostics.addAll(together);
      return new Loaded(name, Optional.empty(), ProviderProblem.Kind.BROKEN, diagnostics.all());
    }
    return new Loaded(name, provider, ProviderProblem.Kind.BROKEN, diagnostics.all());
  }

  /** What is wrong with workflows that are each well by themselves. */
  private static List<Diagnostic> together(Provider provider) {
    return Stream.concat(
            SubWorkflows.inside(provider).problems(provider).stream(),
            DeletingSteps.undecided(provider).stream())
        .distinct()
        .toList();
  }

  private Map<String, Definition> definitions(
      Manifest manifest,
      ProviderSource source,
      Path directory,
      @Nullable String commit,
      String hash,
      Diagnostics diagnostics,
      Map<String, List<Diagnostic>> missing) {
    Map<String, Definition> found = new LinkedHashMap<>();
    for (Entry entry : manifest.workflows()) {
      Optional<Path> file = inside(directory, entry, diagnostics);
      if (file.isEmpty()) {
        continue;
      }
      String label = label(source, directory, file.get());
      Optional<WorkflowShelf.Reading> reading =
          bytes(file.get(), label, diagnostics).map(content -> workflows.read(label, content));
      reading.ifPresent(r -> diagnostics.addAll(r.diagnostics()));
      Optional<Workflow> workflow = reading.flatMap(WorkflowShelf.Reading::workflow);
      if (workflow.isPresent()) {
        String own = ContentHash.of(hash + "/" + entry.name());
        missing.put(own, programs.missing(workflow.get(), label));
        found.put(
            entry.name(),
            new Definition(
                manifest.name(),
                manifest.version(),
                commit,
                own,
                place(source, directory),
                manifest.configuration(),
                workflow.get(),
                reading.get().text(),
                Map.of()));
      }
    }
    return found;
  }

  /** A directory of this machine; for a repository what every machine can make its own from. */
  private static String place(ProviderSource source, Path directory) {
    return source.location() instanceof ProviderSource.Location.Git git
        ? git.place()
        : directory.toString();
  }

  private static Map<String, List<Diagnostic>> lacks(Map<String, List<Diagnostic>> missing) {
    Map<String, List<Diagnostic>> lacks = new LinkedHashMap<>(missing);
    lacks.values().removeIf(found -> found.stream().noneMatch(Diagnostic::isError));
    return Map.copyOf(lacks);
  }

  /** The workflow's file, when it is there and does not lead out of the provider's directory. */
  private static Optional<Path> inside(Path directory, Entry entry, Diagnostics diagnostics) {
    if (entry.file().isEmpty()) {
      return Optional.empty();
    }
    Path file = directory.resolve(entry.file()).normalize();
    try {
      Path root = directory.toRealPath();
      if (!file.startsWith(directory.normalize())
          || Files.exists(file) && !file.toRealPath().startsWith(root)) {
        report(
            "outside-root",
            diagnostics,
            entry.position(),
            "'" + entry.file() + "' is outside of the provider's directory",
            "Keep workflow files below provider.yaml.");
        return Optional.empty();
      }
    } catch (IOException e) {
      report(
          "unreadable",
          diagnostics,
          entry.position(),
          "'" + entry.file() + "' cannot be read: " + e.getMessage(),
          null);
      return Optional.empty();
    }
    if (!Files.isRegularFile(file)) {
      report(
          "missing-file",
          diagnostics,
          entry.position(),
          "workflow file '" + entry.file() + "' does not exist",
          "Paths are relative to provider.yaml.");
      return Optional.empty();
    }
    return Optional.of(file);
  }

  private static Optional<Document> read(Path file, String label, Diagnostics diagnostics) {
    return bytes(file, label, diagnostics)
        .flatMap(content -> Document.parse(label, content, Limits.PROVIDER, diagnostics));
  }

  private static Optional<byte[]> bytes(Path file, String label, Diagnostics diagnostics) {
    try {
      return Optional.of(Files.readAllBytes(file));
    } catch (IOException e) {
      report(diagnostics, label, "cannot be read: " + e.getMessage(), null);
      return Optional.empty();
    }
  }

  static Optional<Path> manifestFile(Path directory) {
    return Stream.of("provider.yaml", "provider.yml")
        .map(directory::resolve)
        .filter(Files::isRegularFile)
        .findFirst();
  }

  /** The file's name in messages: with its repository, or with its directory's name. */
  private static String label(ProviderSource source, Path directory, Path file) {
    if (source.location() instanceof ProviderSource.Location.Git git) {
      String inside =
          Path.of(git.path()).resolve(directory.relativize(file)).normalize().toString();
      return git.url().substring(git.url().lastIndexOf('/') + 1) + "/" + inside;
    }
    Path parent = directory.toAbsolutePath().getParent();
    return parent == null ? file.toString() : parent.relativize(file.toAbsolutePath()).toString();
  }

  private static boolean compatible(Manifest manifest) {
    Semver here =
        Objects.requireNonNull(Semver.coerce(CONTRACT_VERSION), "the contract has a version");
    return (manifest.minCoreVersion() == null
            || here.isGreaterThanOrEqualTo(manifest.minCoreVersion()))
        && (manifest.maxCoreVersion() == null
            || here.isLowerThanOrEqualTo(manifest.maxCoreVersion()));
  }

  private static String range(Manifest manifest) {
    return (manifest.minCoreVersion() == null ? "any" : manifest.minCoreVersion())
        + " to "
        + (manifest.maxCoreVersion() == null ? "any" : manifest.maxCoreVersion());
  }

  private static void report(
      Diagnostics diagnostics, String where, String message, @Nullable String hint) {
    report("provider-load", diagnostics, where, message, hint);
  }

  /** {@code where} is a file or file:line:column. */
  private static void report(
      String code, Diagnostics diagnostics, String where, String message, @Nullable String hint) {
    var matcher = java.util.regex.Pattern.compile("(.*):(\\d+):(\\d+)").matcher(where);
    boolean placed = matcher.matches();
    Position at =
        placed
            ? new Position(Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)))
            : Position.START;
    diagnostics.add(
        Diagnostic.error(
            code,
            placed ? matcher.group(1) : where,
            dev.slipway.engine.intake.Path.ROOT,
            at,
            message,
            hint));
  }
}
