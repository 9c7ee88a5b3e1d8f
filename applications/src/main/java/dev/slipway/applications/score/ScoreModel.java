package dev.slipway.applications.score;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Section;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Reads the records of {@link Score} out of a document that fits the schema. */
final class ScoreModel {
  private ScoreModel() {}

  static Score read(Document document, Optional<Score.RequestedEnvironment> environment) {
    var unused = new Diagnostics();
    Section root = document.section(unused);
    var ports = root.section("service").map(s -> each(s, "ports", ScoreModel::port));
    var score =
        new Score(
            document,
            metadata(root.requiredSection("metadata")),
            each(root, "containers", ScoreModel::container),
            ports.orElseGet(LinkedHashMap::new),
            each(root, "resources", ScoreModel::resource),
            environment);
    if (unused.hasErrors()) {
      throw new IllegalStateException("the schema let through what the model refuses: " + unused);
    }
    return score;
  }

  private static Score.Metadata metadata(Section section) {
    return new Score.Metadata(
        section.requiredString("name"), section.stringMap("annotations"), section.plain());
  }

  private static Score.Container container(String name, Section section) {
    Optional<Section> compute = section.section("resources");
    return new Score.Container(
        name,
        section.string("image", ""),
        section.strings("command"),
        section.strings("args"),
        section.stringMap("variables"),
        each(section, "files", (_, file) -> file(file)),
        each(section, "volumes", (_, volume) -> volume(volume)),
        each(section, "before", (_, b) -> b.choice("ready", Score.Readiness.class).orElseThrow()),
        compute
            .flatMap(c -> c.section("limits"))
            .map(ScoreModel::compute)
            .orElse(Score.Compute.UNSET),
        compute
            .flatMap(c -> c.section("requests"))
            .map(ScoreModel::compute)
            .orElse(Score.Compute.UNSET),
        section.section("livenessProbe").map(ScoreModel::probe),
        section.section("readinessProbe").map(ScoreModel::probe));
  }

  private static Score.MountedFile file(Section section) {
    var expansion =
        section.bool("noExpand", false) ? Score.Expansion.NONE : Score.Expansion.PLACEHOLDERS;
    Optional<Score.Content> text =
        section
            .string("content")
            .map(
                content ->
                    switch (expansion) {
                      case PLACEHOLDERS -> new Score.Content.Expanded(content);
                      case NONE -> new Score.Content.Verbatim(content);
                    });
    Optional<Score.Content> binary = section.string("binaryContent").map(Score.Content.Binary::new);
    Score.Content content =
        text.or(() -> binary)
            .orElseGet(() -> new Score.Content.Source(section.string("source", ""), expansion));
    return new Score.MountedFile(content, section.string("mode"));
  }

  private static Score.Volume volume(Section section) {
    var access = section.bool("readOnly", false) ? Score.Access.READ_ONLY : Score.Access.READ_WRITE;
    return new Score.Volume(section.string("source", ""), section.string("path"), access);
  }

  private static Score.Compute compute(Section section) {
    return new Score.Compute(section.string("cpu"), section.string("memory"));
  }

  private static Score.Probe probe(Section section) {
    return new Score.Probe(
        section.section("httpGet").map(ScoreModel::httpGet),
        section.section("exec").map(exec -> exec.strings("command")));
  }

  private static Score.HttpGet httpGet(Section section) {
    List<Score.Header> headers =
        section.sections("httpHeaders").stream()
            .map(h -> new Score.Header(h.string("name", ""), h.string("value", "")))
            .toList();
    return new Score.HttpGet(
        section.string("path", ""),
        number(section, "port").orElse(0),
        section.string("host"),
        section.string("scheme", "HTTP"),
        headers);
  }

  private static Score.Port port(String name, Section section) {
    int port = number(section, "port").orElse(0);
    int target = number(section, "targetPort").orElse(port);
    return new Score.Port(name, port, target, section.string("protocol", "TCP"));
  }

  private static Score.Resource resource(String name, Section section) {
    Map<String, @Nullable Object> params = mapOrNull(section, "params");
    return new Score.Resource(
        name,
        section.requiredString("type"),
        section.string("class", ResourceIdentity.DEFAULT_CLASS),
        section.string("id"),
        params,
        mapOrNull(section, "metadata"),
        dependencies(params));
  }

  private static Set<String> dependencies(@Nullable Map<String, @Nullable Object> params) {
    var names = new TreeSet<String>();
    for (var reference : Substitution.references(params)) {
      reference.placeholder().referredResource().ifPresent(names::add);
    }
    return names;
  }

  private static @Nullable Map<String, @Nullable Object> mapOrNull(Section section, String key) {
    return section.value(key).isPresent() ? section.openMap(key) : null;
  }

  /** JSON Schema takes 8080.0 for an integer. */
  private static Optional<Integer> number(Section section, String key) {
    return section.number(key).map(Number::intValue);
  }

  private static <T> SequencedMap<String, T> each(
      Section section, String key, BiFunction<String, Section, T> reading) {
    var found = new LinkedHashMap<String, T>();
    section.sectionMap(key).forEach((name, child) -> found.put(name, reading.apply(name, child)));
    return found;
  }
}
