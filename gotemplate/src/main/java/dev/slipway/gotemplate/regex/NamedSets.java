package dev.slipway.gotemplate.regex;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sets that have a name: {@code \d}, {@code [:alpha:]}, {@code \p{Greek}}. */
final class NamedSets {
  private static final Map<String, CharSet> UNICODE = new ConcurrentHashMap<>();
  private static final Set<String> CATEGORIES =
      Stream.of(
              "c cc cf cn co cs l lc ll lm lo lt lu m mc me mn n nd nl no p pc pd pe pf pi po ps s"
                  + " sc",
              "sk sm so z zl zp zs")
          .flatMap(line -> Stream.of(line.split(" ")))
          .collect(Collectors.toUnmodifiableSet());
  private static final Map<String, Character.UnicodeScript> SCRIPTS = scripts();
  private static final Map<String, String> CATEGORY_ALIASES = aliases();
  private static final Map<String, CharSet> POSIX =
      Map.ofEntries(
          Map.entry("alnum", ascii("09AZaz")),
          Map.entry("alpha", ascii("AZaz")),
          Map.entry("ascii", ascii("\0\u007f")),
          Map.entry("blank", ascii("\t\t  ")),
          Map.entry("cntrl", ascii("\0\u001f\u007f\u007f")),
          Map.entry("digit", ascii("09")),
          Map.entry("graph", ascii("!~")),
          Map.entry("lower", ascii("az")),
          Map.entry("print", ascii(" ~")),
          Map.entry("punct", ascii("!/:@[`{~")),
          Map.entry("space", ascii("\t\r  ")),
          Map.entry("upper", ascii("AZ")),
          Map.entry("word", ascii("09AZaz__")),
          Map.entry("xdigit", ascii("09AFaf")));
  private static final Map<Character, CharSet> PERL =
      Map.of('d', ascii("09"), 's', ascii("\t\n\f\r  "), 'w', ascii("09AZaz__"));

  private NamedSets() {}

  /** The set of a Perl class letter; an upper-case letter is the class's complement. */
  static Optional<CharSet> perl(char letter, Case folding) {
    CharSet set = PERL.get(Character.toLowerCase(letter));
    return Optional.ofNullable(set)
        .map(folding::of)
        .map(s -> Character.isUpperCase(letter) ? s.negated() : s);
  }

  /** The set of {@code name} or, with a leading caret, its complement. */
  static Optional<CharSet> posix(String name, Case folding) {
    boolean negated = name.startsWith("^");
    return Optional.ofNullable(POSIX.get(negated ? name.substring(1) : name))
        .map(folding::of)
        .map(s -> negated ? s.negated() : s);
  }

  /** The set of a Unicode category or script. Case, spaces and underscores do not matter. */
  static Optional<CharSet> unicode(String name, Case folding) {
    String canonical = canonical(name);
    CharSet known = UNICODE.get(canonical);
    if (known == null) {
      Optional<CharSet> found = lookUp(canonical);
      if (found.isEmpty()) {
        return found;
      }
      known = found.get();
      UNICODE.put(canonical, known);
    }
    return Optional.of(folding.of(known));
  }

  private static Optional<CharSet> lookUp(String name) {
    return switch (name) {
      case "any" -> Optional.of(CharSet.ANY);
      case "assigned" -> Optional.of(having(c -> Character.getType(c) != Character.UNASSIGNED));
      case "ascii" -> Optional.of(ascii("\0\u007f"));
      default -> category(CATEGORY_ALIASES.getOrDefault(name, name)).or(() -> script(name));
    };
  }

  private static Optional<CharSet> category(String name) {
    if (!CATEGORIES.contains(name)) {
      return Optional.empty();
    }
    return Optional.of(
        name.equals("lc")
            ? having(c -> "lu ll lt".contains(categoryOf(c)))
            : having(c -> categoryOf(c).startsWith(name)));
  }

  private static Optional<CharSet> script(String name) {
    return Optional.ofNullable(SCRIPTS.get(name))
        .map(script -> having(c -> Character.UnicodeScript.of(c) == script));
  }

  private static Map<String, Character.UnicodeScript> scripts() {
    Map<String, Character.UnicodeScript> scripts = new HashMap<>();
    for (Character.UnicodeScript script : Character.UnicodeScript.values()) {
      scripts.put(canonical(script.name()), script);
    }
    scripts.remove("unknown");
    return scripts;
  }

  private static CharSet having(IntPredicate property) {
    CharSet.Builder set = new CharSet.Builder();
    int start = -1;
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      if (property.test(c)) {
        start = start < 0 ? c : start;
      } else if (start >= 0) {
        set.add(start, c - 1);
        start = -1;
      }
    }
    return set.add(start < 0 ? 1 : start, start < 0 ? 0 : Character.MAX_CODE_POINT).build();
  }

  private static String categoryOf(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.UPPERCASE_LETTER -> "lu";
      case Character.LOWERCASE_LETTER -> "ll";
      case Character.TITLECASE_LETTER -> "lt";
      case Character.MODIFIER_LETTER -> "lm";
      case Character.OTHER_LETTER -> "lo";
      case Character.NON_SPACING_MARK -> "mn";
      case Character.ENCLOSING_MARK -> "me";
      case Character.COMBINING_SPACING_MARK -> "mc";
      case Character.DECIMAL_DIGIT_NUMBER -> "nd";
      case Character.LETTER_NUMBER -> "nl";
      case Character.OTHER_NUMBER -> "no";
      case Character.SPACE_SEPARATOR -> "zs";
      case Character.LINE_SEPARATOR -> "zl";
      case Character.PARAGRAPH_SEPARATOR -> "zp";
      case Character.CONTROL -> "cc";
      case Character.FORMAT -> "cf";
      case Character.PRIVATE_USE -> "co";
      case Character.SURROGATE -> "cs";
      case Character.DASH_PUNCTUATION -> "pd";
      case Character.START_PUNCTUATION -> "ps";
      case Character.END_PUNCTUATION -> "pe";
      case Character.CONNECTOR_PUNCTUATION -> "pc";
      case Character.INITIAL_QUOTE_PUNCTUATION -> "pi";
      case Character.FINAL_QUOTE_PUNCTUATION -> "pf";
      case Character.OTHER_PUNCTUATION -> "po";
      case Character.MATH_SYMBOL -> "sm";
      case Character.CURRENCY_SYMBOL -> "sc";
      case Character.MODIFIER_SYMBOL -> "sk";
      case Character.OTHER_SYMBOL -> "so";
      default -> "cn";
    };
  }

  private static Map<String, String> aliases() {
    String names =
        """
        casedletter lc closepunctuation pe combiningmark m connectorpunctuation pc control cc \
        currencysymbol sc dashpunctuation pd decimalnumber nd enclosingmark me finalpunctuation pf \
        format cf initialpunctuation pi letter l letternumber nl lineseparator zl lowercaseletter ll \
        mark m mathsymbol sm modifierletter lm modifiersymbol sk nonspacingmark mn number n \
        openpunctuation ps other c otherletter lo othernumber no otherpunctuation po othersymbol so \
        paragraphseparator zp privateuse co punctuation p separator z spaceseparator zs \
        spacingmark mc surrogate cs symbol s titlecaseletter lt unassigned cn uppercaseletter lu \
        cntrl cc digit nd punct p\
        """;
    String[] words = names.split(" ");
    Map<String, String> aliases = new HashMap<>();
    for (int i = 0; i < words.length; i += 2) {
      aliases.put(words[i], words[i + 1]);
    }
    return aliases;
  }

  private static String canonical(String name) {
    return name.replaceAll("[_ -]", "").toLowerCase(Locale.ROOT);
  }

  private static CharSet ascii(String bounds) {
    CharSet.Builder set = new CharSet.Builder();
    for (int i = 0; i < bounds.length(); i += 2) {
      set.add(bounds.charAt(i), bounds.charAt(i + 1));
    }
    return set.build();
  }
}
