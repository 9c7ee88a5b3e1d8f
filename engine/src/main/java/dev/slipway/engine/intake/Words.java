package dev.slipway.engine.intake;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/** How values and choices are put into the text of a message. */
public final class Words {
  private static final int LONGEST = 60;

  private Words() {}

  public static String expected(String expected, Located found) {
    return "expected " + expected + ", found " + found.kind();
  }

  /** At most some characters of something a user wrote, on one line. */
  public static String shortened(String text) {
    String start = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    return start.replaceAll("\\p{Cntrl}+", " ");
  }

  /** {@code "a, b,,c"} is a, b and c. */
  public static List<String> commaSeparated(String text) {
    return Arrays.stream(text.split(",")).map(String::strip).filter(s -> !s.isEmpty()).toList();
  }

  /** {@code a, b or c}. */
  public static String list(Collection<String> words) {
    return words.stream()
        .collect(
            Collectors.collectingAndThen(
                Collectors.joining(", "), text -> lastComma(text, words.size())));
  }

  /** An enum's constants by the words that people write for them. */
  public static <E extends Enum<E>> SequencedMap<String, E> of(Class<E> type) {
    var words = new LinkedHashMap<String, E>();
    for (E constant : type.getEnumConstants()) {
      words.put(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'), constant);
    }
    return words;
  }

  private static String lastComma(String text, int size) {
    int comma = text.lastIndexOf(", ");
    return size < 2 ? text : text.substring(0, comma) + " or " + text.substring(comma + 2);
  }
}
