package dev.slipway.engine.intake;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlVersionException;

/**
 * From bytes to a {@link Document}. Works on parser events rather than on a composed tree, so that
 * a limit stops the reading at the value that breaks it, before the rest is even looked at.
 */
final class YamlReader {
  private final String file;
  private final Limits limits;
  private final Diagnostics diagnostics;

  private YamlReader(String file, Limits limits, Diagnostics diagnostics) {
    this.file = file;
    this.limits = limits;
    this.diagnostics = diagnostics;
  }

  static Optional<Document> read(
      String file, byte[] bytes, Limits limits, Diagnostics diagnostics) {
    return new YamlReader(file, limits, diagnostics).decode(bytes);
  }

  static Optional<Document> read(String file, String text, Limits limits, Diagnostics diagnostics) {
    var reader = new YamlReader(file, limits, diagnostics);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes.length > limits.bytes() ? reader.tooLarge(bytes.length) : reader.compose(text);
  }

  /** The documents of a file of several; none when an error was reported. */
  static List<Document> readAll(String file, byte[] bytes, Limits limits, Diagnostics diagnostics) {
    var reader = new YamlReader(file, limits, diagnostics);
    return reader.text(bytes).flatMap(reader::composeAll).orElse(List.of()).stream()
        .map(root -> new Document(file, root))
        .toList();
  }

  private Optional<Document> decode(byte[] bytes) {
    return text(bytes).flatMap(this::compose);
  }

  private Optional<String> text(byte[] bytes) {
    if (bytes.length > limits.bytes()) {
      return tooLarge(bytes.length);
    }
    var decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    var input = ByteBuffer.wrap(bytes);
    try {
      return Optional.of(decoder.decode(input).toString());
    } catch (CharacterCodingException e) {
      int valid = input.position();
      var before = new String(bytes, 0, valid, StandardCharsets.UTF_8);
      String hex = String.format("0x%02x", bytes[Math.min(valid, bytes.length - 1)]);
      return fail(
          "invalid-utf8",
          end(before),
          "byte " + hex + " is not UTF-8 text",
          "Save the file as UTF-8.");
    }
  }

  private <T> Optional<T> tooLarge(int size) {
    return fail(
        "too-large",
        Position.START,
        "the text has " + size + " bytes, more than the " + limits.bytes() + " allowed",
        null);
  }

  private Optional<Document> compose(String text) {
    return composed(text, Composition::compose).map(root -> new Document(file, root));
  }

  private Optional<List<Located>> composeAll(String text) {
    return composed(text, (reading, events) -> Optional.of(reading.composeAll(events)));
  }

  private <T> Optional<T> composed(
      String text, BiFunction<Composition, Iterator<Event>, Optional<T>> what) {
    // A byte order mark has no meaning in UTF-8, but some editors add one.
    String content = text.startsWith("\uFEFF") ? text.substring(1) : text;
    try {
      var events = new Parse(settings(content)).parseString(content).iterator();
      return what.apply(new Composition(file, content, limits, diagnostics), events);
    } catch (MarkedYamlEngineException e) {
      return content.indexOf('\t') >= 0 && TabbedJson.isJson(content)
          ? composed(TabbedJson.withSpaces(content), what)
          : syntaxError(e);
    } catch (ReaderException e) {
      return badCharacter(content, e);
    } catch (YamlVersionException e) {
      String message = "this version of YAML is not supported";
      return fail("syntax", Position.START, message, "Remove the %YAML line, or write 1.2.");
    } catch (YamlEngineException e) {
      return fail("syntax", Position.START, "not readable as YAML: " + e.getMessage(), null);
    }
  }

  private LoadSettings settings(String content) {
    return LoadSettings.builder()
        .setLabel(file)
        .setUseMarks(true)
        .setCodePointLimit(Integer.MAX_VALUE)
        // In one piece: the parser copies what it holds of a token for every piece it reads, which
        // costs the square of the length of a long one.
        .setBufferSize(Math.max(1_024, content.length()))
        .build();
  }

  private <T> Optional<T> syntaxError(MarkedYamlEngineException e) {
    Position at =
        e.getProblemMark().or(e::getContextMark).map(YamlReader::position).orElse(Position.START);
    return fail("syntax", at, SyntaxWords.explain(e), SyntaxWords.hint(e));
  }

  private <T> Optional<T> badCharacter(String content, ReaderException e) {
    int position = Math.min(e.getPosition(), content.codePointCount(0, content.length()));
    return fail(
        "control-character",
        end(content.substring(0, content.offsetByCodePoints(0, position))),
        String.format("the character U+%04X is not allowed in YAML", e.getCodePoint()),
        "Remove it, or write it as an escape in double quotes.");
  }

  private <T> Optional<T> fail(String code, Position at, String message, @Nullable String hint) {
    diagnostics.add(Diagnostic.error(code, file, Path.ROOT, at, message, hint));
    return Optional.empty();
  }

  static Position position(Mark mark) {
    return new Position(mark.getLine() + 1, mark.getColumn() + 1);
  }

  /** The place right after a text. */
  private static Position end(String text) {
    int line = 1 + (int) text.chars().filter(c -> c == '\n').count();
    String last = text.substring(text.lastIndexOf('\n') + 1);
    return new Position(line, last.codePointCount(0, last.length()) + 1);
  }
}
