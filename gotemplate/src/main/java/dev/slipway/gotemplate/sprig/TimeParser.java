package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.sprig.TimeLayout.Piece;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a time that looks like a layout. */
final class TimeParser {
  private static final Pattern ZONE_NAME =
      Pattern.compile(
          "ChST|MeST|GMT[+-][0-9]{1,2}|GMT|[+-][0-9]{2}|WITA|[A-Z]{4}T|[A-Z]{3}T|[A-Z]{3}");

  private final TimeLayout layout;
  private final String value;
  private int at;
  private int year;
  private int month = -1;
  private int day = -1;
  private int yearDay = -1;
  private int hour;
  private int minute;
  private int second;
  private int nano;
  private String half = "";
  private @Nullable Integer offset;
  private String zoneName = "";
  private String outOfRange = "";

  private TimeParser(String layout, String value) {
    this.layout = TimeLayout.of(layout);
    this.value = value;
  }

  /** The time; an IllegalArgumentException says what does not fit. */
  static Moment parse(String layout, String value) {
    return new TimeParser(layout, value).parse();
  }

  private Moment parse() {
    List<Piece> pieces = layout.pieces();
    for (int i = 0; i < pieces.size(); i++) {
      Piece piece = pieces.get(i);
      int start = at;
      boolean fits = piece.literal() ? literal(piece.text()) : element(piece.element());
      if (!outOfRange.isEmpty()) {
        throw new IllegalArgumentException(about() + ": " + outOfRange + " out of range");
      }
      if (!fits) {
        throw misfit(start, piece.text());
      }
      boolean fractionFollows = i + 1 < pieces.size() && pieces.get(i + 1).fraction();
      if ((piece.element().equals("05") || piece.element().equals("5")) && !fractionFollows) {
        fraction(-1);
      }
    }
    if (at < value.length()) {
      throw new IllegalArgumentException(about() + ": extra text: " + quoted(value.substring(at)));
    }
    return moment();
  }

  private String about() {
    return "parsing time " + quoted(value);
  }

  private IllegalArgumentException misfit(int start, String piece) {
    return new IllegalArgumentException(
        about()
            + " as "
            + quoted(layout.text())
            + ": cannot parse "
            + quoted(value.substring(Math.min(start, value.length())))
            + " as "
            + quoted(piece));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Any number of spaces fits any other number of spaces. */
  private boolean literal(String text) {
    int i = 0;
    while (i < text.length()) {
      if (text.charAt(i) == ' ') {
        if (at < value.length() && value.charAt(at) != ' ') {
          return false;
        }
        while (i < text.length() && text.charAt(i) == ' ') {
          i++;
        }
        skipSpaces();
      } else if (at < value.length() && value.charAt(at) == text.charAt(i)) {
        i++;
        at++;
      } else {
        return false;
      }
    }
    return true;
  }

  private void skipSpaces() {
    while (at < value.length() && value.charAt(at) == ' ') {
      at++;
    }
  }

  private boolean element(String element) {
    return switch (element) {
      case "2006" -> (year = digits(4, 4)) >= 0;
      case "06" -> (year = digits(2, 2)) >= 0 && (year += year >= 69 ? 1900 : 2000) > 0;
      case "January" -> (month = 1 + name(CalendarName.MONTHS, 99)) > 0;
      case "Jan" -> (month = 1 + name(CalendarName.MONTHS, 3)) > 0;
      case "01", "1" -> (month = digits(element.length(), 2)) >= 0 && range(month, 1, 12, "month");
      case "Monday" -> name(CalendarName.DAYS, 99) >= 0;
      case "Mon" -> name(CalendarName.DAYS, 3) >= 0;
      case "_2", "02", "2" -> day(element);
      case "__2", "002" -> yearDay(element);
      case "15" -> (hour = digits(1, 2)) >= 0 && range(hour, 0, 23, "hour");
      case "03", "3" -> (hour = digits(element.length(), 2)) >= 0 && range(hour, 0, 12, "hour");
      case "04", "4" ->
          (minute = digits(element.length(), 2)) >= 0 && range(minute, 0, 59, "minute");
      case "05", "5" ->
          (second = digits(element.length(), 2)) >= 0 && range(second, 0, 59, "second");
      case "PM" -> half("AM", "PM");
      case "pm" -> half("am", "pm");
      case "MST" -> zone();
      default -> element.matches("[.,].*") ? fractionElement(element) : offset(element);
    };
  }

  private boolean range(int number, int least, int most, String what) {
    outOfRange = number < least || number > most ? what : "";
    return true;
  }

  /** Between so many digits, as many as there are; -1 when there are not enough. */
  private int digits(int least, int most) {
    int start = at;
    while (at < value.length() && at - start < most && isDigit(value.charAt(at))) {
      at++;
    }
    return at - start < least ? -1 : Integer.parseInt(value.substring(start, at));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private int name(List<String> names, int length) {
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i).substring(0, Math.min(length, names.get(i).length()));
      if (value.regionMatches(true, at, name, 0, name.length())) {
        at += name.length();
        return i;
      }
    }
    return -1;
  }

  private boolean day(String element) {
    if (element.equals("_2") && value.startsWith(" ", at)) {
      at++;
    }
    day = digits(element.equals("02") ? 2 : 1, 2);
    return day >= 0;
  }

  private boolean yearDay(String element) {
    for (int i = 0; i < 2 && element.equals("__2") && value.startsWith(" ", at); i++) {
      at++;
    }
    yearDay = digits(element.equals("002") ? 3 : 1, 3);
    return yearDay >= 0;
  }

  private boolean half(String am, String pm) {
    half = value.startsWith(am, at) || value.startsWith(pm, at) ? value.substring(at, at + 2) : "";
    at += half.length();
    half = half.toLowerCase(Locale.ROOT);
    return !half.isEmpty();
  }

  private boolean fractionElement(String element) {
    return element.charAt(1) == '9' ? fraction(-1) || true : fraction(element.length() - 1);
  }

  /** Exactly so many digits behind a point or comma; -1 takes all. */
  private boolean fraction(int wanted) {
    boolean point = at < value.length() && (value.charAt(at) == '.' || value.charAt(at) == ',');
    int end = at + 1;
    while (end < value.length()
        && isDigit(value.charAt(end))
        && (wanted < 0 || end - at <= wanted)) {
      end++;
    }
    int count = end - at - 1;
    if (!point || count == 0 || wanted >= 0 && count != wanted) {
      return false;
    }
    String digits = (value.substring(at + 1, end) + "000000000").substring(0, 9);
    nano = Integer.parseInt(digits);
    at = end;
    return true;
  }

  private boolean offset(String element) {
    if (element.startsWith("Z") && value.startsWith("Z", at)) {
      at++;
      offset = 0;
      zoneName = "UTC";
      return true;
    }
    String shape = element.substring(1).replaceAll("[0-9]", "[0-9]");
    Matcher matcher = Pattern.compile("[+-]" + shape).matcher(value).region(at, value.length());
    if (!matcher.lookingAt()) {
      return false;
    }
    String digits = (matcher.group().substring(1).replace(":", "") + "0000").substring(0, 6);
    int size =
        Integer.parseInt(digits.substring(0, 2)) * 3600
            + Integer.parseInt(digits.substring(2, 4)) * 60
            + Integer.parseInt(digits.substring(4));
    range(Integer.parseInt(digits.substring(0, 2)), 0, 24, "time zone offset hour");
    offset = matcher.group().startsWith("-") ? -size : size;
    at = matcher.end();
    return true;
  }

  private boolean zone() {
    Matcher matcher = ZONE_NAME.matcher(value).region(at, value.length());
    if (value.startsWith("UTC", at)) {
      offset = 0;
      zoneName = "UTC";
      at += 3;
      return true;
    }
    if (!matcher.lookingAt()) {
      return false;
    }
    zoneName = matcher.group();
    at = matcher.end();
    return true;
  }

  private Moment moment() {
    if (yearDay >= 0) {
      placeYearDay();
    }
    month = month < 0 ? 1 : month;
    day = day < 0 ? 1 : day;
    if (day < 1 || day > Civil.daysIn(year, month)) {
      throw new IllegalArgumentException(about() + ": day out of range");
    }
    hour = half.equals("pm") && hour < 12 ? hour + 12 : half.equals("am") && hour == 12 ? 0 : hour;
    long seconds = Civil.seconds(year, month, day, hour, minute, second);
    return Moment.ofLocal(seconds, nano, zoneRead());
  }

  private void placeYearDay() {
    Civil date = Civil.at(Civil.seconds(year, 1, yearDay, 0, 0, 0));
    if (yearDay < 1 || date.year() != year) {
      throw new IllegalArgumentException(about() + ": day-of-year out of range");
    }
    if (month >= 0 && month != date.month() || day >= 0 && day != date.day()) {
      throw new IllegalArgumentException(about() + ": day-of-year does not match the date");
    }
    month = date.month();
    day = date.day();
  }

  private Zone zoneRead() {
    if (offset != null) {
      return offset == 0 ? Zone.UTC : Zone.fixed(offset, zoneName);
    }
    if (zoneName.isEmpty()) {
      return Zone.UTC;
    }
    boolean shifted = zoneName.length() > 3 && zoneName.startsWith("GMT");
    return Zone.fixed(shifted ? Integer.parseInt(zoneName.substring(3)) * 3600 : 0, zoneName);
  }
}
