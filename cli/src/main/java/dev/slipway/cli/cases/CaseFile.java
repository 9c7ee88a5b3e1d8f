package dev.slipway.cli.cases;

import dev.slipway.cli.cases.TestCase.Action;
import dev.slipway.cli.cases.TestCase.Subject;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Label;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads files of test cases; all that is wrong with them is reported with its place. */
public final class CaseFile {
  /** What a file says that it is. */
  public static final String API_VERSION = "slipway.dev/v1alpha1";

  public static final String KIND = "ProviderTest";

  /** Keys of the administrator's configuration that a case may set. */
  public static final List<String> SETTINGS = List.of("policies", "workflowPolicies");

  private static final int LONGEST_NAME = 40;

  private final Offer offer;
  private final Diagnostics diagnostics;
  private final Set<String> applications = new HashSet<>();

  /** What the provider has, so that names in cases can be checked. */
  public record Offer(Set<String> types, Set<String> goldenPaths, Set<String> steps) {}

  public CaseFile(Offer offer, Diagnostics diagnostics) {
    this.offer = offer;
    this.diagnostics = diagnostics;
  }

  /** Every case in it. */
  public List<TestCase> read(String file, byte[] bytes) {
    Optional<Document> document = Document.parse(file, bytes, Limits.PROVIDER, diagnostics);
    if (document.isEmpty()) {
      return List.of();
    }
    Section root = document.get().section(diagnostics);
    root.oneOf("apiVersion", List.of(API_VERSION));
    root.oneOf("kind", List.of(KIND));
    List<TestCase> cases = new ArrayList<>();
    for (Section each : root.requiredSections("cases")) {
      cases.add(testCase(each));
    }
    root.noOtherKeys();
    return cases;
  }

  private TestCase testCase(Section from) {
    String name = from.requiredString("name");
    Subject subject = subject(from);
    Map<String, Object> settings = new LinkedHashMap<>();
    SETTINGS.forEach(
        key -> {
          if (from.has(key)) {
            settings.put(key, from.openMap(key));
          }
        });
    String environment = from.matching("environment", Label.PATTERN, Label.WORDS).orElse("default");
    Map<String, Object> grants = Values.map(from.openMap("grants"));
    List<Action> actions = new ActionParser(offer.steps()).actions(from, subject);
    Ownership ownership = ownership(from, subject);
    String application =
        from.matching("application", Label.PATTERN, Label.WORDS).orElseGet(() -> slug(name));
    if (!applications.add(application)) {
      from.error(
          "name",
          "duplicate-name",
          "another case already asks under the application's name '" + application + "'",
          "Give the case another name, or set 'application'.");
    }
    from.noOtherKeys();
    return new TestCase(
        name, place(from), application, subject, environment, settings, grants, actions, ownership);
  }

  private static Ownership ownership(Section from, Subject subject) {
    Optional<Section> block = from.section("ownership");
    if (block.isPresent() && subject instanceof Subject.GoldenPath) {
      from.error(
          "ownership",
          "contradiction",
          "a golden path makes nothing that another team could reach",
          "Write it at a case with a type.");
    }
    return block.map(OwnershipParser::parse).orElse(Ownership.SILENT);
  }

  /** The application's name: that of the case, as far as it can be a label. */
  private static String slug(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String cut = plain.length() > LONGEST_NAME ? plain.substring(0, LONGEST_NAME) : plain;
    String label = cut.replaceAll("^-+|-+$", "");
    return label.length() < 2 ? "case-" + label + "x" : label;
  }

  private Subject subject(Section from) {
    Optional<String> path = from.string("goldenPath");
    if (path.isPresent()) {
      known(from, "goldenPath", "golden path", path.get(), offer.goldenPaths());
      if (from.has("type")) {
        from.error("type", "contradiction", "a case has either a type or a goldenPath", null);
      }
      return new Subject.GoldenPath(path.get());
    }
    String type = from.requiredString("type");
    if (!type.isEmpty()) {
      known(from, "type", "resource type", type, offer.types());
    }
    return new Subject.Resource(
        type,
        from.matching("resource", Label.PATTERN, Label.WORDS).orElse("subject"),
        from.string("class", ""),
        Values.map(from.openMap("annotations")));
  }

  static void known(Section at, String key, String what, String name, Collection<String> names) {
    if (!names.contains(name)) {
      at.error(
          key,
          "unknown-" + what.replace(' ', '-'),
          "the provider has no " + what + " '" + name + "'",
          Nearest.hintOrList(name, names));
    }
  }

  static String place(Section section) {
    return section.document().file() + ":" + section.at();
  }
}
