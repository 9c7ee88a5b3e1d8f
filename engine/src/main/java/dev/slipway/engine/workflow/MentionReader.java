package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.workflow.Expression.Operand;
import dev.slipway.engine.workflow.TemplateScan.Holes;
import dev.slipway.engine.workflow.TemplateScan.Part;
import dev.slipway.gotemplate.Reference;
import dev.slipway.gotemplate.TemplateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what the templates, placeholders and conditions in a part of a file refer to. */
final class MentionReader {
  private final Section section;
  private final Set<String> steps;
  private final List<Mention> found = new ArrayList<>();

  MentionReader(Section section, Set<String> steps) {
    this.section = section;
    this.steps = steps;
  }

  List<Mention> found() {
    return found;
  }

  /** Every string of a tree; each {@code ${...}} is a placeholder. */
  MentionReader values(@Nullable Located value, Path path) {
    return values(value, path, new Holes.All());
  }

  MentionReader script(@Nullable Located value, Path path) {
    return values(value, path, new Holes.InScript(steps));
  }

  private MentionReader values(@Nullable Located value, Path path, Holes holes) {
    switch (value) {
      case null -> {}
      case Located.Mapping map ->
          map.entries().forEach((key, e) -> values(e.value(), path.child(key), holes));
      case Located.Sequence list -> {
        for (int i = 0; i < list.items().size(); i++) {
          values(list.items().get(i), path.child(i), holes);
        }
      }
      case Located.Scalar scalar -> {
        if (scalar.plain() instanceof String text && TemplateScan.hasTemplate(text)) {
          text(new Place(scalar, path, 0), text, holes);
        }
      }
    }
    return this;
  }

  /** A condition. */
  MentionReader condition(@Nullable Located value, Path path) {
    if (value instanceof Located.Scalar scalar) {
      try {
        for (Operand operand : Expression.parse(scalar.text()).operands()) {
          operand(new Place(scalar, path, operand.offset()), operand);
        }
      } catch (ExpressionException e) {
        // Reported where the condition was read.
        return this;
      }
    }
    return this;
  }

  private void operand(Place place, Operand operand) {
    switch (operand) {
      case Operand.Literal _, Operand.Choices _ -> {}
      case Operand.Hole hole -> placeholder(place, 0, hole.placeholder());
      case Operand.Template template -> text(place, template.source(), new Holes.All());
      case Operand.Word word -> {
        int dot = word.text().indexOf('.');
        if (dot > 0) {
          word(place, word.text(), word.text().substring(0, dot));
        }
      }
    }
  }

  private void word(Place place, String text, String first) {
    boolean status = text.matches(".*\\.(success|failed|skipped)");
    String nearRoot = dev.slipway.engine.intake.Nearest.to(first, Placeholder.ROOTS).orElse(null);
    if (steps.contains(first)) {
      add(place, 0, stepChain(List.of(text.split("\\."))));
    } else if (status) {
      add(place, 0, List.of("steps", text.substring(0, text.lastIndexOf('.'))));
    } else if (nearRoot != null) {
      add(place, 0, List.of(first));
    }
  }

  private void text(Place place, String text, Holes holes) {
    try {
      for (Reference reference : TextTemplate.of(text, holes).references()) {
        if (reference.root() == Reference.Root.DATA) {
          add(place, offset(text, reference.position()), reference.path());
        }
      }
    } catch (TemplateException e) {
      String message = e.reason();
      report(place, offset(text, e.position()), "invalid-template", message, e.hint().orElse(null));
    }
    for (Part part : TemplateScan.parts(text, holes)) {
      if (part instanceof Part.Hole hole) {
        hole(place, hole);
      }
    }
  }

  private void hole(Place place, Part.Hole hole) {
    Placeholder read = Placeholder.read(hole.inside());
    if (read == null) {
      report(
          place,
          hole.start(),
          "invalid-placeholder",
          "'${" + hole.inside() + "}' is not a placeholder",
          "Write ${parameters.name}, ${steps.name.output.key} or ${VARIABLE}; $${ is a plain '${'.");
    } else {
      placeholder(place, hole.start(), read);
    }
  }

  private void placeholder(Place place, int offset, Placeholder placeholder) {
    if (placeholder instanceof Placeholder.Chain chain) {
      List<String> names = chain.names();
      String first = names.getFirst();
      if (first.equals("workflow")) {
        add(place, offset, List.of("variables", names.get(1)));
      } else if (Placeholder.ROOTS.contains(first)) {
        add(place, offset, names);
      } else {
        add(place, offset, stepChain(names));
      }
    }
  }

  private static List<String> stepChain(List<String> names) {
    boolean status = names.size() == 2 && names.get(1).matches("success|failed|skipped");
    List<String> full = new ArrayList<>(List.of("steps", names.getFirst()));
    if (!status) {
      full.add("output");
    }
    full.addAll(names.subList(1, names.size()));
    return full;
  }

  private void add(Place place, int offset, List<String> names) {
    found.add(new Mention(names, place.path(), place.at(offset)));
  }

  private void report(Place place, int offset, String code, String message, @Nullable String hint) {
    Position at = place.at(offset);
    section
        .diagnostics()
        .add(Diagnostic.error(code, section.document().file(), place.path(), at, message, hint));
  }

  /** The offset of a template's line and column. */
  static int offset(String text, dev.slipway.gotemplate.Position position) {
    int start = 0;
    for (int line = 1; line < position.line(); line++) {
      int end = text.indexOf('\n', start);
      if (end < 0) {
        return start;
      }
      start = end + 1;
    }
    int left = text.codePointCount(start, text.length());
    return text.offsetByCodePoints(start, Math.min(left, position.column() - 1));
  }

  /** A scalar, and where in it a text starts. */
  private record Place(Located.Scalar scalar, Path path, int start) {
    Position at(int offset) {
      String text = scalar.plain() instanceof String s ? s : scalar.text();
      return scalar.place().at(text, Math.min(text.length(), start + offset));
    }
  }
}
