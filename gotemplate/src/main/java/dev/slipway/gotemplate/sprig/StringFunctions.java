package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.Text;
import java.util.ArrayList;
import java.util.List;

/** Functions on text. Lengths and places count bytes, as in Go. */
final class StringFunctions {
  private StringFunctions() {}

  static List<Function> all() {
    List<Function> all = new ArrayList<>();
    all.addAll(parts());
    all.addAll(shapes());
    return all;
  }

  private static List<Function> parts() {
    return new FunctionGroup("Strings")
        .add(
            "trim",
            "(s string) string",
            "without space at both ends",
            c -> Runes.trim(c.string(0), Runes::isSpace))
        .add(
            "trimAll",
            "(characters string, s string) string",
            "without these characters at both ends",
            StringFunctions::trimAll)
        .also("trimall")
        .add(
            "trimPrefix",
            "(prefix string, s string) string",
            "without the prefix",
            StringFunctions::trimPrefix)
        .add(
            "trimSuffix",
            "(suffix string, s string) string",
            "without the suffix",
            StringFunctions::trimSuffix)
        .add(
            "trunc",
            "(length int, s string) string",
            "the first bytes, or the last ones when negative",
            c -> truncate(c.integer(0), c.string(1)))
        .add(
            "substr",
            "(start int, end int, s string) string",
            "the bytes from start up to end",
            StringFunctions::substring)
        .add(
            "contains",
            "(part string, s string) bool",
            "whether s contains part",
            c -> Octets.test(c.string(0), c.string(1), (part, text) -> text.contains(part)))
        .add(
            "hasPrefix",
            "(prefix string, s string) bool",
            "whether s starts with prefix",
            c -> Octets.test(c.string(0), c.string(1), (part, text) -> text.startsWith(part)))
        .add(
            "hasSuffix",
            "(suffix string, s string) bool",
            "whether s ends with suffix",
            c -> Octets.test(c.string(0), c.string(1), (part, text) -> text.endsWith(part)))
        .add(
            "replace",
            "(old string, new string, s string) string",
            "every old replaced by new",
            StringFunctions::replace)
        .add(
            "repeat",
            "(count int, s string) string",
            "s repeated count times",
            c -> repeat(c, c.integer(0), c.string(1)))
        .add("nospace", "(s string) string", "without any space", StringFunctions::withoutSpace)
        .add(
            "abbrev",
            "(width int, s string) string",
            "cut to width with an ellipsis",
            c -> Abbreviation.of(c.string(1), 0, c.integer(0)))
        .add(
            "abbrevboth",
            "(left int, right int, s string) string",
            "cut at both sides with ellipses",
            c -> Abbreviation.of(c.string(2), c.integer(0), c.integer(1)))
        .add(
            "initials",
            "(s string) string",
            "the first letter of every word",
            StringFunctions::initials)
        .add(
            "plural",
            "(one string, many string, count int) string",
            "one if count is 1, else many",
            c -> c.integer(2) == 1 ? c.string(0) : c.string(1))
        .all();
  }

  private static List<Function> shapes() {
    return new FunctionGroup("Strings")
        .add("upper", "(s string) string", "in upper case", c -> mapped(c, Character::toUpperCase))
        .add("lower", "(s string) string", "in lower case", c -> mapped(c, Character::toLowerCase))
        .add(
            "title",
            "(s string) string",
            "every word capitalised",
            c -> LetterCase.title(c.string(0)))
        .add(
            "untitle",
            "(s string) string",
            "the first letter of every word in lower case",
            c -> LetterCase.untitle(c.string(0)))
        .add(
            "swapcase",
            "(s string) string",
            "upper and lower case exchanged",
            c -> LetterCase.swap(c.string(0)))
        .add(
            "camelcase",
            "(s string) string",
            "http_server as HttpServer",
            c -> LetterCase.camel(c.string(0)))
        .add(
            "snakecase",
            "(s string) string",
            "HTTPServer as http_server",
            c -> new WordCase('_').of(c.string(0)))
        .add(
            "kebabcase",
            "(s string) string",
            "HTTPServer as http-server",
            c -> new WordCase('-').of(c.string(0)))
        .add("indent", "(spaces int, s string) string", "every line indented", c -> indent(c, ""))
        .add(
            "nindent",
            "(spaces int, s string) string",
            "a new line, then every line indented",
            c -> indent(c, "\n"))
        .add(
            "wrap",
            "(width int, s string) string",
            "lines broken at spaces",
            c -> Wrapping.words(c, c.integer(0), c.string(1)))
        .add(
            "wrapWith",
            "(width int, separator string, s string) string",
            "lines of at most width, long words broken too",
            c -> Wrapping.all(c, c.integer(0), c.string(1), c.string(2)))
        .add("quote", "(v ...any) string", "each value in double quotes", StringFunctions::quote)
        .add(
            "squote",
            "(v ...any) string",
            "each value in single quotes",
            StringFunctions::singleQuote)
        .add("cat", "(v ...any) string", "the values with a space between", StringFunctions::cat)
        .all();
  }

  private static String mapped(Call call, java.util.function.IntUnaryOperator mapping) {
    call.room(call.string(0).length());
    return Runes.map(call.string(0), mapping);
  }

  private static String trimAll(Call call) {
    String characters = call.string(0);
    return Runes.trim(call.string(1), c -> characters.indexOf(c) >= 0);
  }

  private static String trimPrefix(Call call) {
    return Octets.apply(
        call.string(0),
        call.string(1),
        (prefix, text, back) ->
            text.startsWith(prefix) ? back.apply(text.substring(prefix.length())) : call.string(1));
  }

  private static String trimSuffix(Call call) {
    return Octets.apply(
        call.string(0),
        call.string(1),
        (suffix, text, back) ->
            text.endsWith(suffix)
                ? back.apply(text.substring(0, text.length() - suffix.length()))
                : call.string(1));
  }

  static String truncate(long length, String text) {
    int bytes = Text.length(text);
    if (length < 0 && bytes + length > 0) {
      return Text.slice(text, (int) (bytes + length), bytes);
    }
    return length >= 0 && bytes > length ? Text.slice(text, 0, (int) length) : text;
  }

  private static String substring(Call call) {
    String text = call.string(2);
    int bytes = Text.length(text);
    long start = call.integer(0);
    long end = call.integer(1);
    if (start < 0) {
      start = 0;
      if (end < 0 || end > bytes) {
        throw call.fail("slice bounds out of range [:" + end + "] with length " + bytes);
      }
    } else if (end < 0 || end > bytes) {
      end = bytes;
    }
    if (start > end) {
      throw call.fail("slice bounds out of range [" + start + ":" + end + "]");
    }
    return Text.slice(text, (int) start, (int) end);
  }

  private static String replace(Call call) {
    String old = call.string(0);
    return Text.isValid(old)
        ? Text.rejoin(replaced(call, old, call.string(1), call.string(2)))
        : Octets.text(
            replaced(call, Octets.of(old), Octets.of(call.string(1)), Octets.of(call.string(2))));
  }

  private static String replaced(Call call, String old, String replacement, String text) {
    Bounded out = new Bounded(call);
    int at = 0;
    int found = text.indexOf(old);
    while (found >= 0 && found <= text.length()) {
      out.add(text.substring(at, found)).add(replacement);
      at = found + old.length();
      if (!old.isEmpty()) {
        found = text.indexOf(old, at);
      } else {
        found = found < text.length() ? text.offsetByCodePoints(found, 1) : -1;
      }
    }
    return out.add(text.substring(at)).toString();
  }

  static String repeat(Call call, long count, String text) {
    if (count < 0) {
      throw call.fail("strings: negative Repeat count");
    }
    if (text.isEmpty()) {
      return "";
    }
    call.room(count > Integer.MAX_VALUE ? Long.MAX_VALUE : count * text.length());
    return Text.rejoin(text.repeat((int) count));
  }

  /** Sprig looks at bytes here, not characters; so does this. */
  private static String withoutSpace(Call call) {
    byte[] bytes = Text.bytes(call.string(0));
    Bounded out = new Bounded(call);
    int kept = 0;
    for (byte b : bytes) {
      if (!Runes.isSpace(b & 0xff)) {
        out.add((char) (b & 0xff));
        kept++;
      }
    }
    return kept == bytes.length ? call.string(0) : out.toString();
  }

  private static String initials(Call call) {
    Bounded out = new Bounded(call);
    boolean gap = true;
    for (byte b : Text.bytes(call.string(0))) {
      boolean space = Runes.isSpace(b & 0xff);
      if (!space && gap) {
        out.add((char) (b & 0xff));
      }
      gap = space;
    }
    return out.toString();
  }

  private static String indent(Call call, String start) {
    String text = call.string(1);
    String pad = repeat(call, call.integer(0), " ");
    long lines = 1 + text.chars().filter(c -> c == '\n').count();
    call.room(start.length() + text.length() + lines * pad.length());
    return start + pad + text.replace("\n", "\n" + pad);
  }

  private static String quote(Call call) {
    return joined(call, (out, v) -> out.add(call.format("%q", call.print(v))));
  }

  private static String singleQuote(Call call) {
    return joined(call, (out, v) -> out.add('\'').add(call.print(v)).add('\''));
  }

  private static String cat(Call call) {
    return joined(call, (out, v) -> out.add(call.print(v)));
  }

  private static String joined(Call call, java.util.function.BiConsumer<Bounded, Object> writer) {
    Bounded out = new Bounded(call);
    boolean first = true;
    for (Object value : call.rest(0)) {
      if (value != null) {
        out.add(first ? "" : " ");
        writer.accept(out, value);
        first = false;
      }
    }
    return Text.rejoin(out.toString());
  }
}
