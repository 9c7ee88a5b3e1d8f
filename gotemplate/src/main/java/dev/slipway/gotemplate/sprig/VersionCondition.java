package dev.slipway.gotemplate.sprig;

import java.util.regex.Matcher;

/** One operator and one version, of which the end may be left open. */
record VersionCondition(Operator operator, Version version, Given given) {
  static VersionCondition of(Matcher parts) {
    Given given = given(parts.group(2), parts.group(3), parts.group(4));
    String text =
        switch (given) {
          case NOTHING -> "0.0.0";
          case MAJOR -> parts.group(2) + ".0.0";
          case MINOR -> parts.group(2) + "." + parts.group(3) + ".0";
          case PATCH -> parts.group(2) + "." + parts.group(3) + "." + parts.group(4);
        };
    try {
      String extra = parts.group(5) == null ? "" : parts.group(5);
      return new VersionCondition(Operator.of(parts.group(1)), Version.of(text + extra), given);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("constraint Parser Error", e);
    }
  }

  private static Given given(String major, String minor, String patch) {
    return isOpen(major)
        ? Given.NOTHING
        : isOpen(minor) ? Given.MAJOR : isOpen(patch) ? Given.MINOR : Given.PATCH;
  }

  private static boolean isOpen(String number) {
    return number == null || number.equals("x") || number.equals("X") || number.equals("*");
  }

  private boolean open() {
    return given != Given.PATCH;
  }

  /** A prerelease only meets conditions that name a prerelease themselves. */
  boolean isMetBy(Version v) {
    boolean unwanted = !v.prerelease().isEmpty() && version.prerelease().isEmpty();
    if (operator == Operator.NOT_EQUAL) {
      return open() ? !unwanted && differs(v) : v.compareTo(version) != 0;
    }
    return !unwanted
        && switch (operator) {
          case EQUAL -> open() ? tilde(v) : v.compareTo(version) == 0;
          case NOT_EQUAL -> false;
          case GREATER -> greater(v);
          case LESS -> v.compareTo(version) < 0;
          case GREATER_OR_EQUAL -> v.compareTo(version) >= 0;
          case LESS_OR_EQUAL -> lessOrEqual(v);
          case TILDE -> tilde(v);
          case CARET -> caret(v);
        };
  }

  private boolean differs(Version v) {
    if (v.major() != version.major()) {
      return true;
    }
    return switch (given) {
      case MAJOR -> false;
      case MINOR ->
          v.minor() != version.minor()
              || Version.comparePrereleases(v.prerelease(), version.prerelease()) != 0;
      case NOTHING, PATCH -> v.compareTo(version) != 0;
    };
  }

  private boolean greater(Version v) {
    return switch (given) {
      case MAJOR -> Long.compareUnsigned(v.major(), version.major()) > 0;
      case MINOR ->
          Long.compareUnsigned(v.major(), version.major()) > 0
              || v.major() == version.major()
                  && Long.compareUnsigned(v.minor(), version.minor()) > 0;
      case NOTHING, PATCH -> v.compareTo(version) > 0;
    };
  }

  private boolean lessOrEqual(Version v) {
    if (!open()) {
      return v.compareTo(version) <= 0;
    }
    int major = Long.compareUnsigned(v.major(), version.major());
    boolean minorAbove =
        given != Given.MAJOR && Long.compareUnsigned(v.minor(), version.minor()) > 0;
    return major < 0 || major == 0 && !minorAbove;
  }

  private boolean tilde(Version v) {
    if (v.compareTo(version) < 0) {
      return false;
    }
    boolean zero = version.major() == 0 && version.minor() == 0 && version.patch() == 0;
    if (zero && given != Given.MAJOR && given != Given.MINOR) {
      return true;
    }
    return v.major() == version.major() && (given == Given.MAJOR || v.minor() == version.minor());
  }

  private boolean caret(Version v) {
    if (v.compareTo(version) < 0) {
      return false;
    }
    if (version.major() != 0 || given == Given.MAJOR) {
      return v.major() == version.major();
    }
    if (v.major() != 0) {
      return false;
    }
    if (version.minor() != 0 || given == Given.MINOR) {
      return v.minor() == version.minor();
    }
    return v.minor() == 0 && v.patch() == version.patch();
  }

  /** The operators by meaning. */
  enum Operator {
    EQUAL,
    NOT_EQUAL,
    GREATER,
    LESS,
    GREATER_OR_EQUAL,
    LESS_OR_EQUAL,
    TILDE,
    CARET;

    static Operator of(String sign) {
      return switch (sign) {
        case "!=" -> NOT_EQUAL;
        case ">" -> GREATER;
        case "<" -> LESS;
        case ">=", "=>" -> GREATER_OR_EQUAL;
        case "<=", "=<" -> LESS_OR_EQUAL;
        case "~", "~>" -> TILDE;
        case "^" -> CARET;
        default -> EQUAL;
      };
    }
  }

  /** How much of the version is given: 1.2.3, 1.2, 1 or *. */
  enum Given {
    PATCH,
    MINOR,
    MAJOR,
    NOTHING
  }
}
