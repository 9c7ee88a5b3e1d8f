package dev.slipway.engine.resolve;

import static dev.slipway.engine.resolve.ManifestForms.CAPABILITIES;
import static dev.slipway.engine.resolve.ManifestForms.CAPABILITY;
import static dev.slipway.engine.resolve.ManifestForms.CHOICE;
import static dev.slipway.engine.resolve.ManifestForms.COMPATIBILITY;
import static dev.slipway.engine.resolve.ManifestForms.ENTRY;
import static dev.slipway.engine.resolve.ManifestForms.METADATA;
import static dev.slipway.engine.resolve.ManifestForms.OLD_ENTRY;
import static dev.slipway.engine.resolve.ManifestForms.OPERATIONS;
import static dev.slipway.engine.resolve.ManifestForms.OPTION;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.intake.Spelling;
import dev.slipway.engine.resolve.Manifest.Capability;
import dev.slipway.engine.resolve.Manifest.Category;
import dev.slipway.engine.resolve.Manifest.Choice;
import dev.slipway.engine.resolve.Manifest.Claim;
import dev.slipway.engine.resolve.Manifest.Entry;
import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.semver4j.Semver;

/**
 * Reads a {@code provider.yaml}: both forms of capabilities, and the legacy spellings with
 * warnings.
 */
final class ManifestParser {
  static final Pattern LABEL = Pattern.compile("[a-z0-9][a-z0-9-]{0,61}[a-z0-9]");
  static final Pattern TYPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]{0,61}[A-Za-z0-9]");
  static final Pattern SEMVER = Pattern.compile("v?\\d+\\.\\d+\\.\\d+(?:[-+][0-9A-Za-z.+-]+)?");
  static final String LABEL_WORDS = "a name of 2 to 63 lower-case letters, digits and inner dashes";

  private final Document document;
  private final Section root;

  ManifestParser(Document document, Diagnostics diagnostics) {
    this.document = document;
    this.root =
        document
            .section(diagnostics)
            .spelled(Spelling.CAMEL_OR_SNAKE)
            .only(ManifestForms.MANIFEST.names());
  }

  Manifest parse() {
    version();
    kind();
    Section metadata = root.requiredSection("metadata").only(METADATA.names());
    Optional<Section> compatibility =
        root.section("compatibility").map(c -> c.only(COMPATIBILITY.names()));
    Optional<Section> written = root.section("capabilities");
    Section capabilities = written.orElseGet(root::nothing).only(CAPABILITIES.names());
    List<Entry> workflows = workflows();
    Manifest manifest =
        new Manifest(
            metadata.requiredMatching("name", LABEL, LABEL_WORDS),
            metadata.requiredMatching("version", SEMVER, "a semantic version such as 1.4.0"),
            about(metadata),
            compatibility.flatMap(c -> version(c, "minCoreVersion")).orElse(null),
            compatibility.flatMap(c -> version(c, "maxCoreVersion")).orElse(null),
            claims(capabilities),
            capabilities.sections("resourceTypeCapabilities").stream()
                .map(this::capability)
                .toList(),
            workflows,
            Values.map(root.openMap("configuration")));
    compatibility.ifPresent(Section::noOtherKeys);
    capabilities.noOtherKeys();
    metadata.noOtherKeys();
    root.noOtherKeys();
    compatibility.ifPresent(c -> checkOrder(c, manifest));
    new ManifestRules(manifest, capabilities, root).check();
    return manifest;
  }

  private void version() {
    String version = root.requiredString("apiVersion");
    if (version.equals("innominatus.io/v1")) {
      root.warning(
          "apiVersion",
          "legacy-spelling",
          "apiVersion 'innominatus.io/v1' is the old one",
          "Write apiVersion: v1.");
    } else if (!version.equals("v1") && root.value("apiVersion").isPresent()) {
      root.error("apiVersion", "invalid-value", "must be v1", "Write apiVersion: v1.");
    }
  }

  private void kind() {
    String kind = root.requiredString("kind");
    if (kind.equals("Platform")) {
      root.warning(
          "kind", "legacy-spelling", "kind 'Platform' is the old name", "Write kind: Provider.");
    } else if (!kind.equals("Provider") && root.value("kind").isPresent()) {
      root.error(
          "kind",
          "invalid-value",
          "must be Provider",
          Nearest.hintOrList(kind, List.of("Provider")));
    }
  }

  private static Manifest.About about(Section metadata) {
    return new Manifest.About(
        metadata.string("category", ""),
        metadata.string("description", ""),
        metadata.string("author", ""),
        metadata.string("homepage", ""),
        metadata.string("repository", ""),
        metadata.string("license", ""),
        metadata.strings("tags"));
  }

  private static Optional<String> version(Section section, String key) {
    return section.matching(key, SEMVER, "a semantic version such as 1.0.0");
  }

  private static Semver semver(String version) {
    return Objects.requireNonNull(Semver.coerce(version), "version() lets only versions through");
  }

  private static void checkOrder(Section section, Manifest manifest) {
    if (manifest.minCoreVersion() != null
        && manifest.maxCoreVersion() != null
        && semver(manifest.minCoreVersion()).isGreaterThan(manifest.maxCoreVersion())) {
      section.error(
          "minCoreVersion",
          "invalid-value",
          "minCoreVersion is above maxCoreVersion",
          "Swap them.");
    }
  }

  private List<Claim> claims(Section capabilities) {
    List<Claim> claims = new ArrayList<>();
    for (String type : capabilities.strings("resourceTypes")) {
      if (!TYPE.matcher(type).matches()) {
        capabilities.error(
            "resourceTypes", "invalid-value", "'" + type + "' is not a resource type's name", null);
      }
      claims.add(
          new Claim(
              type,
              position(
                  document.position(
                      capabilities.path().child("resourceTypes").child(claims.size())))));
    }
    return claims;
  }

  private Capability capability(Section s) {
    s.only(CAPABILITY.names());
    String type = s.requiredMatching("type", TYPE, "a resource type's name");
    Optional<String> alias = s.string("aliasFor");
    Optional<Section> operations = s.section("operations");
    if (alias.isPresent() && operations.isPresent()) {
      s.error(
          "operations",
          "alias-with-operations",
          "an alias has no operations of its own",
          "Remove one.");
    }
    if (alias.isEmpty() && operations.isEmpty()) {
      s.error("missing-field", "'operations' or 'aliasFor' is required", null);
    }
    Map<Operation, Choice> choices = new EnumMap<>(Operation.class);
    operations.ifPresent(
        o -> {
          o.only(OPERATIONS.names());
          for (Operation operation : Operation.values()) {
            o.section(operation.text()).ifPresent(c -> choices.put(operation, choice(c)));
          }
          o.noOtherKeys();
        });
    Capability capability =
        new Capability(
            type,
            position(s.valueAt("type")),
            alias.orElse(null),
            s.oneOf("deletionPolicy", List.of("delete", "retain", "orphan")).orElse(null),
            choices);
    s.noOtherKeys();
    return capability;
  }

  private static Choice choice(Section s) {
    s.only(CHOICE.names());
    Optional<String> one = s.string("workflow");
    List<Choice.Option> options = new ArrayList<>();
    for (Section option : s.sections("workflows")) {
      option.only(OPTION.names());
      options.add(new Choice.Option(option.requiredString("name"), option.strings("tags")));
      option.noOtherKeys();
    }
    Optional<String> fallback = s.string("default");
    if (one.isPresent() == s.located("workflows").isPresent()) {
      s.error("workflow-choice", "exactly one of 'workflow' and 'workflows' must be given", null);
    }
    if (options.isEmpty() && s.located("workflows").isPresent()) {
      s.error("workflows", "invalid-value", "must not be empty", null);
    }
    if (options.size() > 1 && fallback.isEmpty()) {
      s.error("missing-field", "'default' is required with several workflows", null);
    }
    s.noOtherKeys();
    return one.map(w -> new Choice(List.of(new Choice.Option(w, List.of())), w))
        .orElseGet(() -> new Choice(options, fallback.orElse(null)));
  }

  private List<Entry> workflows() {
    List<Entry> all = new ArrayList<>();
    root.sections("workflows").forEach(s -> all.add(entry(s.only(ENTRY.names()))));
    all.addAll(old("provisioners", Category.PROVISIONER));
    all.addAll(old("goldenpaths", Category.GOLDEN_PATH));
    if (all.isEmpty()) {
      root.error(
          "missing-field", "a provider needs at least one workflow", "Add it under workflows.");
    }
    duplicates(all);
    return all;
  }

  private void duplicates(List<Entry> all) {
    Map<String, String> first = new HashMap<>();
    Set<String> reported = new HashSet<>();
    for (Entry entry : all) {
      String earlier = first.putIfAbsent(entry.name(), entry.position());
      if (earlier != null && reported.add(entry.name())) {
        root.error(
            "workflows",
            "duplicate-workflow",
            "two workflows are named '"
                + entry.name()
                + "' ("
                + earlier
                + ", "
                + entry.position()
                + ")",
            "Rename one.");
      }
    }
  }

  /** Lists of former days. What had no file was part of the old program: nothing to run. */
  private List<Entry> old(String key, Category category) {
    List<Entry> all = new ArrayList<>();
    if (!root.has(key)) {
      return all;
    }
    String word = category == Category.GOLDEN_PATH ? "goldenpath" : "provisioner";
    root.warning(
        key,
        "legacy-spelling",
        "'" + key + "' is the old form",
        "List them under workflows with category: " + word + ".");
    for (Section s : root.sections(key)) {
      s.only(OLD_ENTRY.names());
      if (s.located("file").isPresent()) {
        all.add(entry(s, category, s.string("type").stream().toList()));
      } else {
        String name = s.requiredString("name");
        s.warning(
            "name",
            "no-workflow",
            "'" + name + "' has no file, so there is nothing to run",
            "Give it a workflow's file.");
        s.noOtherKeys();
      }
    }
    return all;
  }

  private Entry entry(Section s) {
    Optional<String> category = s.oneOf("category", List.of("provisioner", "goldenpath"));
    boolean path = category.filter("goldenpath"::equals).isPresent();
    return entry(s, path ? Category.GOLDEN_PATH : Category.PROVISIONER, List.of());
  }

  private Entry entry(Section s, Category category, List<String> more) {
    List<String> types = new ArrayList<>(s.strings("resourceTypes"));
    s.string("resourceType").ifPresent(types::add);
    types.addAll(more);
    Entry entry =
        new Entry(
            s.requiredString("name"),
            position(s.at()),
            s.requiredString("file"),
            category,
            s.choice("operation", Operation.class).orElse(null),
            s.text("version").orElse(""),
            s.string("description", ""),
            s.strings("tags"),
            types,
            s.strings("allowedTeams"));
    s.noOtherKeys();
    return entry;
  }

  private String position(dev.slipway.engine.intake.Position at) {
    return document.file() + ":" + at.line() + ":" + at.column();
  }
}
