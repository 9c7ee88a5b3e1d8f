package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.intake.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of one or several YAML documents. Each template in it is replaced by a mark that YAML
 * takes for a plain word, so that the text can be read before the templates are rendered.
 */
final class ManifestText {
  private static final char OPEN = '\uE0F0';
  private static final char CLOSE = '\uE0F1';
  private static final Pattern MARK = Pattern.compile(OPEN + "([0-9]{1,6})" + CLOSE);
  private static final Pattern BOUNDARY = Pattern.compile("---(\\s.*)?|\\.\\.\\.\\s*");
  private static final Pattern NUMBER_OR_WORD = Pattern.compile("[-+.0-9a-zA-Z_~]{0,64}");

  private final String marked;
  private final List<String> templates;

  private ManifestText(String marked, List<String> templates) {
    this.marked = marked;
    this.templates = templates;
  }

  /** Without templates. */
  static ManifestText literal(String text) {
    return new ManifestText(text, List.of());
  }

  static ManifestText of(String text) {
    if (text.indexOf(OPEN) >= 0 || text.indexOf(CLOSE) >= 0) {
      throw new RenderingException("the characters U+E0F0 and U+E0F1 cannot be used", null);
    }
    List<String> templates = new ArrayList<>();
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int end = endOfTemplate(text, at);
      if (end < 0) {
        out.append(text.charAt(at++));
      } else {
        out.append(OPEN).append(templates.size()).append(CLOSE);
        templates.add(text.substring(at, end));
        at = end;
      }
    }
    return new ManifestText(out.toString(), List.copyOf(templates));
  }

  /** The index behind the template that begins here; -1 when none does. */
  private static int endOfTemplate(String text, int at) {
    if (text.startsWith("{{", at)) {
      return TemplateScan.endOfAction(text, at);
    }
    if (text.startsWith("$${", at)) {
      return at + 3;
    }
    int end = text.startsWith("${", at) ? text.indexOf('}', at) : -1;
    return end < 0 ? -1 : end + 1;
  }

  /** The documents, each with so many empty lines before it that its line numbers are right. */
  List<String> documents() {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    int number = 0;
    for (String line : marked.split("\n", -1)) {
      if (BOUNDARY.matcher(line).matches()) {
        parts.add(part.toString());
        part = new StringBuilder("\n".repeat(number));
        part.append(line.startsWith("--- ") ? "    " + line.substring(4) : "");
      } else {
        part.append(line);
      }
      part.append('\n');
      number++;
    }
    parts.add(part.toString());
    return parts.stream().filter(text -> !text.isBlank()).toList();
  }

  boolean hasTemplates() {
    return !templates.isEmpty();
  }

  boolean marked(String text) {
    return !templates.isEmpty() && text.indexOf(OPEN) >= 0;
  }

  /** The text with its templates. */
  String restored(String text) {
    return MARK.matcher(text).replaceAll(found -> Matcher.quoteReplacement(template(found)));
  }

  private String template(MatchResult found) {
    int index = Integer.parseInt(found.group(1));
    return index < templates.size() ? templates.get(index) : found.group();
  }

  /** Whether the scalar that begins at the position stands in quotes or in a block. */
  static boolean quoted(String part, Position at) {
    int line = 1;
    int start = 0;
    while (line < at.line() && start >= 0) {
      start = part.indexOf('\n', start) + 1;
      line++;
    }
    int index = start + at.column() - 1;
    return index < part.length() && "\"'|>".indexOf(part.charAt(index)) >= 0;
  }

  /** What a plain scalar of this text is in YAML; what is neither number nor word stays a text. */
  static @Nullable Object core(String text) {
    if (!NUMBER_OR_WORD.matcher(text).matches()) {
      return text;
    }
    return Document.parse("value", text, Limits.DEFAULT, new Diagnostics())
        .map(Document::plain)
        .orElse(text.isEmpty() ? null : text);
  }
}
