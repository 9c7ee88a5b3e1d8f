package dev.slipway.gotemplate.sprig;

import java.util.ArrayList;
import java.util.List;

/** A Go time layout: an example of how the reference time, 2 January 2006 15:04:05 -0700, looks. */
record TimeLayout(String text, List<Piece> pieces) {
  /**
   * Text to copy or an element to fill in.
   *
   * @param element empty for text to copy
   */
  record Piece(String text, String element) {
    boolean literal() {
      return element.isEmpty();
    }

    boolean fraction() {
      return !element.isEmpty() && (element.charAt(0) == '.' || element.charAt(0) == ',');
    }
  }

  static TimeLayout of(String layout) {
    List<Piece> pieces = new ArrayList<>();
    int copied = 0;
    int at = 0;
    while (at < layout.length()) {
      String element = LayoutElements.elementAt(layout, at);
      if (element.isEmpty()) {
        at++;
        continue;
      }
      // In _2006 the underscore is text.
      at += element.equals("_2006") ? 1 : 0;
      element = element.equals("_2006") ? "2006" : element;
      if (at > copied) {
        pieces.add(new Piece(layout.substring(copied, at), ""));
      }
      pieces.add(new Piece(element, element));
      at += element.length();
      copied = at;
    }
    if (copied < layout.length()) {
      pieces.add(new Piece(layout.substring(copied), ""));
    }
    return new TimeLayout(layout, pieces);
  }

  String format(Moment moment) {
    StringBuilder out = new StringBuilder();
    Civil local = moment.local();
    for (Piece piece : pieces) {
      if (piece.literal()) {
        out.append(piece.text);
      } else if (piece.fraction()) {
        out.append(fraction(piece.element, moment.nano()));
      } else if (piece.element.startsWith("-") || piece.element.startsWith("Z")) {
        out.append(offset(piece.element, moment.offset()));
      } else {
        out.append(field(piece.element, local, moment));
      }
    }
    return out.toString();
  }

  private static String field(String element, Civil t, Moment moment) {
    return switch (element) {
      case "2006" -> (t.year() < 0 ? "-" : "") + padded(Math.abs(t.year()), 4, '0');
      case "06" -> padded(Math.abs(t.year() % 100), 2, '0');
      case "January" -> CalendarName.MONTHS.get(t.month() - 1);
      case "Jan" -> CalendarName.MONTHS.get(t.month() - 1).substring(0, 3);
      case "01" -> padded(t.month(), 2, '0');
      case "1" -> "" + t.month();
      case "Monday" -> CalendarName.DAYS.get(t.weekday());
      case "Mon" -> CalendarName.DAYS.get(t.weekday()).substring(0, 3);
      case "02" -> padded(t.day(), 2, '0');
      case "_2" -> padded(t.day(), 2, ' ');
      case "2" -> "" + t.day();
      case "002" -> padded(t.yearDay(), 3, '0');
      case "__2" -> padded(t.yearDay(), 3, ' ');
      case "15" -> padded(t.hour(), 2, '0');
      case "03" -> padded((t.hour() + 11) % 12 + 1, 2, '0');
      case "3" -> "" + ((t.hour() + 11) % 12 + 1);
      case "04" -> padded(t.minute(), 2, '0');
      case "4" -> "" + t.minute();
      case "05" -> padded(t.second(), 2, '0');
      case "5" -> "" + t.second();
      case "PM" -> t.hour() >= 12 ? "PM" : "AM";
      case "pm" -> t.hour() >= 12 ? "pm" : "am";
      case "MST" -> zone(moment);
      default -> element;
    };
  }

  private static String zone(Moment moment) {
    String name = moment.abbreviation();
    if (!name.isEmpty()) {
      return name;
    }
    int minutes = Math.abs(moment.offset()) / 60;
    return (moment.offset() < 0 ? "-" : "+")
        + padded(minutes / 60, 2, '0')
        + padded(minutes % 60, 2, '0');
  }

  private static String fraction(String element, int nanoseconds) {
    String digits = padded(nanoseconds, 9, '0');
    int wanted = element.length() - 1;
    digits = wanted <= 9 ? digits.substring(0, wanted) : digits + "0".repeat(wanted - 9);
    if (element.charAt(1) == '9') {
      digits = digits.replaceAll("0+$", "");
    }
    return digits.isEmpty() ? "" : element.charAt(0) + digits;
  }

  private static String offset(String element, int seconds) {
    if (element.startsWith("Z") && seconds == 0) {
      return "Z";
    }
    int size = Math.abs(seconds);
    String colon = element.contains(":") ? ":" : "";
    int digits = element.replace(":", "").length() - 1;
    return (seconds < 0 ? "-" : "+")
        + padded(size / 3600, 2, '0')
        + (digits > 2 ? colon + padded(size / 60 % 60, 2, '0') : "")
        + (digits > 4 ? colon + padded(size % 60, 2, '0') : "");
  }

  private static String padded(long number, int width, char with) {
    String digits = Long.toString(number);
    return Character.toString(with).repeat(Math.max(0, width - digits.length())) + digits;
  }
}
