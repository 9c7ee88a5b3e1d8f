package dev.slipway.engine.intake;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Amounts of bytes as people write them: {@code 1048576}, {@code 64Mi}, {@code 2Gi}, {@code 500M}.
 */
public final class SizeText {
  /** The hint of an error about a size. */
  public static final String FORMS = "Write bytes (1048576) or units like 64Mi, 2Gi, 500M.";

  private static final Pattern FORM =
      Pattern.compile("(\\d{1,15}(?:\\.\\d{1,3})?)(?:([KMGT])(i?)B?)?");
  private static final List<String> UNITS = List.of("K", "M", "G", "T");

  private SizeText() {}

  /** The bytes, or empty when the text is not a size. */
  public static Optional<Long> parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int power = matcher.group(2) == null ? 0 : UNITS.indexOf(matcher.group(2)) + 1;
    boolean binary = !"".equals(matcher.group(3));
    BigDecimal bytes =
        new BigDecimal(matcher.group(1))
            .multiply(BigDecimal.valueOf(binary ? 1024 : 1000).pow(power));
    return bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
        ? Optional.empty()
        : Optional.of(bytes.longValue());
  }

  /** For people: the largest binary unit of which there is at least one, rounded down. */
  public static String print(long bytes) {
    long amount = bytes;
    int power = 0;
    while (amount >= 1024 && power < UNITS.size()) {
      amount /= 1024;
      power++;
    }
    return power == 0 ? bytes + " bytes" : amount + " " + UNITS.get(power - 1) + "iB";
  }
}
