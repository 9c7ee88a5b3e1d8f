package dev.slipway.gotemplate.sprig;

import java.util.List;

/** The elements that stand for a part of a time in a layout. */
final class LayoutElements {
  /** What the pieces of a layout stand for; fractions are separate. */
  private static final List<String> KNOWN =
      List.of(
          ("January Jan Monday Mon MST 2006 _2006 __2 _2 002 01 02 03 04 05 06 15 1 2 3 4 "
                  + "5 PM pm -070000 -07:00:00 -0700 -07:00 -07 Z070000 Z07:00:00 Z0700 Z07:00 Z07")
              .split(" "));

  private LayoutElements() {}

  static String elementAt(String layout, int at) {
    char c = layout.charAt(at);
    if (c == '.' || c == ',') {
      return fractionAt(layout, at);
    }
    if ("JM012_345Pp-Z".indexOf(c) < 0) {
      return "";
    }
    String found = "";
    for (String element : KNOWN) {
      if (element.length() > found.length() && layout.startsWith(element, at)) {
        found = element;
      }
    }
    boolean cutWord = found.equals("Jan") || found.equals("Mon");
    int end = at + found.length();
    return cutWord && end < layout.length() && Character.isLowerCase(layout.charAt(end))
        ? ""
        : found;
  }

  private static String fractionAt(String layout, int at) {
    int end = at + 1;
    char digit = end < layout.length() ? layout.charAt(end) : 0;
    if (digit != '0' && digit != '9') {
      return "";
    }
    while (end < layout.length() && layout.charAt(end) == digit) {
      end++;
    }
    boolean more = end < layout.length() && Character.digit(layout.charAt(end), 10) >= 0;
    return more ? "" : layout.substring(at, end);
  }
}
