package dev.slipway.gotemplate.sprig;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A time zone: one of the zone database, or a fixed offset with a name that may be empty.
 *
 * @param region the zone of the database; null for a fixed offset
 */
record Zone(@Nullable ZoneId region, int fixedSeconds, String fixedName) {
  static final Zone UTC = fixed(0, "UTC");

  private static final long CALENDAR_CYCLE = 146_097L * 24 * 60 * 60;

  /** The zone database has letters for these only; all other zones show their offset. */
  private static final Set<String> LETTERS =
      Stream.of(
              "UTC GMT EST EDT CST CDT MST MDT PST PDT AKST AKDT HST HDT AST ADT NST NDT WET WEST"
                  + " CET",
              "CEST EET EEST MSK IST IDT BST JST KST SAST EAT CAT WAT AEST AEDT ACST ACDT AWST",
              "NZST NZDT SST PKT HKT WIB WITA WIT")
          .flatMap(line -> Stream.of(line.split(" ")))
          .collect(Collectors.toUnmodifiableSet());

  static Zone fixed(int seconds, String name) {
    return new Zone(null, seconds, name);
  }

  /** The zone with a name of the database; {@code Local} and the empty name are UTC. */
  static Optional<Zone> named(String name) {
    if (name.isEmpty() || name.equals("UTC") || name.equals("Local")) {
      return Optional.of(UTC);
    }
    return ZoneId.getAvailableZoneIds().contains(name) && !name.startsWith("SystemV/")
        ? Optional.of(new Zone(ZoneId.of(name), 0, ""))
        : Optional.empty();
  }

  int offsetAt(long second) {
    return region == null
        ? fixedSeconds
        : region.getRules().getOffset(near(second)).getTotalSeconds();
  }

  /** Java counts fewer seconds than Go; its rules repeat with the calendar, every 400 years. */
  private static Instant near(long second) {
    boolean late = second > 2 * CALENDAR_CYCLE;
    return Instant.ofEpochSecond(
        late ? CALENDAR_CYCLE + second % CALENDAR_CYCLE : Math.max(second, -CALENDAR_CYCLE));
  }

  /** The abbreviation, or an empty text when there is none. */
  String abbreviationAt(long second) {
    if (region == null) {
      return fixedName;
    }
    Instant instant = near(second);
    ZoneRules rules = region.getRules();
    if (rules.getTransitions().stream()
        .limit(1)
        .anyMatch(first -> instant.isBefore(first.getInstant()))) {
      return "LMT";
    }
    boolean summer = rules.isDaylightSavings(instant);
    String letters = TimeZone.getTimeZone(region).getDisplayName(summer, TimeZone.SHORT, Locale.US);
    return LETTERS.contains(letters) ? letters : numeric(rules.getOffset(instant));
  }

  private static String numeric(ZoneOffset offset) {
    String text = offset.getId().equals("Z") ? "+00" : offset.getId().replace(":", "");
    return text.endsWith("00") && text.length() == 5 ? text.substring(0, 3) : text;
  }
}
