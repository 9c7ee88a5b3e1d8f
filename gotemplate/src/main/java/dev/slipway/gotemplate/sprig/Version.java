package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.GoInteger;
import dev.slipway.gotemplate.GoObject;
import dev.slipway.gotemplate.GoType;
import dev.slipway.gotemplate.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A semantic version; minor and patch may be left out, a leading v is allowed. Numbers are
 * unsigned.
 */
record Version(
    long major, long minor, long patch, String prerelease, String metadata, String original)
    implements GoObject, Comparable<Version> {
  private static final GoType TYPE = GoType.basic(Kind.PTR, "*semver.Version");
  private static final String WORDS = "[0-9A-Za-z-]++(?:\\.[0-9A-Za-z-]++)*+";
  private static final Pattern SYNTAX =
      Pattern.compile(
          "v?([0-9]++)(?:\\.([0-9]++))?(?:\\.([0-9]++))?(?:-("
              + WORDS
              + "))?(?:\\+("
              + WORDS
              + "))?");
  private static final Map<String, Member> MEMBERS = declared();

  static Version of(String text) {
    Matcher parts = SYNTAX.matcher(text);
    if (text.length() > 1000 || !parts.matches()) {
      throw new IllegalArgumentException("Invalid Semantic Version");
    }
    String pre = parts.group(4) == null ? "" : parts.group(4);
    checkPrerelease(pre);
    return new Version(
        number(parts.group(1)),
        number(parts.group(2)),
        number(parts.group(3)),
        pre,
        parts.group(5) == null ? "" : parts.group(5),
        text);
  }

  private static long number(String digits) {
    try {
      return digits == null ? 0 : Long.parseUnsignedLong(digits);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "Error parsing version segment: " + digits + " is out of range", e);
    }
  }

  private static void checkPrerelease(String pre) {
    for (String part : pre.split("\\.")) {
      if (part.length() > 1 && part.startsWith("0") && isNumber(part)) {
        throw new IllegalArgumentException("Version segment starts with 0");
      }
    }
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  @Override
  public int compareTo(Version other) {
    int difference = Long.compareUnsigned(major, other.major);
    difference = difference != 0 ? difference : Long.compareUnsigned(minor, other.minor);
    difference = difference != 0 ? difference : Long.compareUnsigned(patch, other.patch);
    return difference != 0 ? difference : comparePrereleases(prerelease, other.prerelease);
  }

  static int comparePrereleases(String a, String b) {
    if (a.isEmpty() || b.isEmpty()) {
      return Boolean.compare(a.isEmpty(), b.isEmpty());
    }
    String[] left = a.split("\\.");
    String[] right = b.split("\\.");
    for (int i = 0; i < Math.max(left.length, right.length); i++) {
      int difference =
          compareParts(i < left.length ? left[i] : "", i < right.length ? right[i] : "");
      if (difference != 0) {
        return difference;
      }
    }
    return 0;
  }

  /** Numbers are below words, and a missing part is below everything. */
  private static int compareParts(String a, String b) {
    if (a.equals(b) || a.isEmpty() || b.isEmpty()) {
      return a.equals(b) ? 0 : a.isEmpty() ? -1 : 1;
    }
    if (isNumber(a) && isNumber(b)) {
      return new java.math.BigInteger(a).compareTo(new java.math.BigInteger(b));
    }
    return isNumber(a) ? -1 : isNumber(b) ? 1 : a.compareTo(b);
  }

  Version withoutExtras(long newMajor, long newMinor, long newPatch) {
    String text = new Version(newMajor, newMinor, newPatch, "", "", "").text();
    return new Version(
        newMajor, newMinor, newPatch, "", "", (original.startsWith("v") ? "v" : "") + text);
  }

  @Override
  public String text() {
    return Long.toUnsignedString(major)
        + "."
        + Long.toUnsignedString(minor)
        + "."
        + Long.toUnsignedString(patch)
        + (prerelease.isEmpty() ? "" : "-" + prerelease)
        + (metadata.isEmpty() ? "" : "+" + metadata);
  }

  @Override
  public String toString() {
    return text();
  }

  @Override
  public GoType type() {
    return TYPE;
  }

  @Override
  public Map<String, Member> members() {
    return MEMBERS;
  }

  private interface Getter {
    Object of(Version version);
  }

  private interface Test {
    boolean of(int comparison);
  }

  private static Member method(Getter getter) {
    return Member.method((self, call) -> getter.of((Version) self));
  }

  private static Member test(Test test) {
    return Member.method(
        (self, call) -> test.of(((Version) self).compareTo(call.object(0, Version.class))), TYPE);
  }

  private static Map<String, Member> declared() {
    Map<String, Member> all = new HashMap<>();
    all.put("Major", method(v -> new GoInteger(Kind.UINT64, v.major)));
    all.put("Minor", method(v -> new GoInteger(Kind.UINT64, v.minor)));
    all.put("Patch", method(v -> new GoInteger(Kind.UINT64, v.patch)));
    all.put("Prerelease", method(Version::prerelease));
    all.put("Metadata", method(Version::metadata));
    all.put("Original", method(Version::original));
    all.put("String", method(Version::text));
    all.put("IncMajor", method(v -> v.withoutExtras(v.major + 1, 0, 0)));
    all.put("IncMinor", method(v -> v.withoutExtras(v.major, v.minor + 1, 0)));
    all.put(
        "IncPatch",
        method(v -> v.withoutExtras(v.major, v.minor, v.patch + (v.prerelease.isEmpty() ? 1 : 0))));
    all.put("Equal", test(c -> c == 0));
    all.put("LessThan", test(c -> c < 0));
    all.put("GreaterThan", test(c -> c > 0));
    all.put("LessThanEqual", test(c -> c <= 0));
    all.put("GreaterThanEqual", test(c -> c >= 0));
    all.put(
        "Compare",
        Member.method(
            (self, call) ->
                (long) Integer.signum(((Version) self).compareTo(call.object(0, Version.class))),
            TYPE));
    return Map.copyOf(all);
  }
}
