package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.GoInteger;
import dev.slipway.gotemplate.GoObject;
import dev.slipway.gotemplate.GoType;
import dev.slipway.gotemplate.Kind;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** A time.Time: a point in time seen in a zone. */
record Moment(Instant instant, Zone zone) implements GoObject, JsonValue {
  static final GoType TYPE = GoType.basic(Kind.STRUCT, "time.Time");
  static final Moment ZERO = of(LocalDateTime.of(1, 1, 1, 0, 0), Zone.UTC);

  private static final long MOST_SECONDS = 900_000_000L * 366 * 86_400;
  private static final Map<String, Member> MEMBERS = declared();

  static Moment of(LocalDateTime local, Zone zone) {
    long second = local.toEpochSecond(ZoneOffset.UTC);
    long guess = second - zone.offsetAt(second);
    return new Moment(Instant.ofEpochSecond(second - zone.offsetAt(guess), local.getNano()), zone);
  }

  /** A moment given in seconds since 1970; what Java cannot hold is cut. */
  static Moment ofSeconds(long seconds) {
    long near = Math.clamp(seconds, -MOST_SECONDS, MOST_SECONDS);
    return new Moment(Instant.ofEpochSecond(near), Zone.UTC);
  }

  Moment in(Zone other) {
    return new Moment(instant, other);
  }

  Moment plus(long nanoseconds) {
    return new Moment(instant.plusNanos(nanoseconds), zone);
  }

  LocalDateTime local() {
    int offset = zone.offsetAt(instant.getEpochSecond());
    return LocalDateTime.ofEpochSecond(
        instant.getEpochSecond() + offset, instant.getNano(), ZoneOffset.UTC);
  }

  int offset() {
    return zone.offsetAt(instant.getEpochSecond());
  }

  String abbreviation() {
    return zone.abbreviationAt(instant.getEpochSecond());
  }

  String format(String layout) {
    return TimeLayout.of(layout).format(this);
  }

  /** Nanoseconds since another moment; at most what 64 bits hold. */
  GoDuration since(Moment other) {
    try {
      return new GoDuration(java.time.Duration.between(other.instant, instant).toNanos());
    } catch (ArithmeticException e) {
      return new GoDuration(instant.isAfter(other.instant) ? Long.MAX_VALUE : Long.MIN_VALUE);
    }
  }

  @Override
  public GoType type() {
    return TYPE;
  }

  @Override
  public String text() {
    return format("2006-01-02 15:04:05.999999999 -0700 MST");
  }

  @Override
  public String toString() {
    return text();
  }

  @Override
  public Object json() {
    return format("2006-01-02T15:04:05.999999999Z07:00");
  }

  @Override
  public Map<String, Member> members() {
    return MEMBERS;
  }

  private static Member method(Function<Moment, Object> getter) {
    return Member.method((self, call) -> getter.apply((Moment) self));
  }

  private static Member test(BiPredicate<Instant, Instant> test) {
    return Member.method(
        (self, call) -> test.test(((Moment) self).instant, ((Moment) call.any(0)).instant), TYPE);
  }

  private static Object formatted(GoObject self, Call call) {
    call.room(40L * call.string(0).length());
    return ((Moment) self).format(call.string(0));
  }

  /** Years, months and days added; a day that the month does not have runs into the next. */
  private static Object dateAdded(GoObject self, Call call) {
    Moment moment = (Moment) self;
    LocalDateTime local = moment.local();
    long months = local.getMonthValue() - 1 + near(call, 1);
    LocalDateTime first = local.withDayOfMonth(1).withMonth(1);
    LocalDateTime moved = first.plusYears(near(call, 0)).plusMonths(months);
    return of(moved.plusDays(local.getDayOfMonth() - 1 + near(call, 2)), moment.zone);
  }

  private static long near(Call call, int index) {
    return Math.clamp(call.integer(index), -1_000_000L, 1_000_000L);
  }

  private static Map<String, Member> declared() {
    Map<String, Member> all = new HashMap<>();
    all.put("Year", method(m -> (long) m.local().getYear()));
    all.put("Month", method(m -> CalendarName.month(m.local().getMonthValue())));
    all.put("Day", method(m -> (long) m.local().getDayOfMonth()));
    all.put("Weekday", method(m -> CalendarName.weekday(m.local().getDayOfWeek().getValue() % 7)));
    all.put("YearDay", method(m -> (long) m.local().getDayOfYear()));
    all.put("Hour", method(m -> (long) m.local().getHour()));
    all.put("Minute", method(m -> (long) m.local().getMinute()));
    all.put("Second", method(m -> (long) m.local().getSecond()));
    all.put("Nanosecond", method(m -> (long) m.local().getNano()));
    all.put("Unix", method(m -> GoInteger.int64(m.instant.getEpochSecond())));
    all.put("UnixMilli", method(m -> GoInteger.int64(m.instant.toEpochMilli())));
    all.put("UnixNano", method(m -> GoInteger.int64(m.since(ofSeconds(0)).nanoseconds())));
    all.put("UTC", method(m -> m.in(Zone.UTC)));
    all.put("Local", method(m -> m.in(Zone.UTC)));
    all.put("IsZero", method(m -> m.instant.equals(ZERO.instant)));
    all.put("String", method(Moment::text));
    all.put("AddDate", Member.method(Moment::dateAdded, GoType.INT, GoType.INT, GoType.INT));
    all.put("Format", Member.method(Moment::formatted, GoType.STRING));
    all.put("Before", test(Instant::isBefore));
    all.put("After", test(Instant::isAfter));
    all.put("Equal", test(Instant::equals));
    all.put(
        "Sub", Member.method((self, call) -> ((Moment) self).since((Moment) call.any(0)), TYPE));
    all.put(
        "Add",
        Member.method(
            (self, call) -> ((Moment) self).plus(((GoDuration) call.any(0)).nanoseconds()),
            GoDuration.TYPE));
    return Map.copyOf(all);
  }
}
