package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.GoInteger;
import dev.slipway.gotemplate.GoObject;
import dev.slipway.gotemplate.GoType;
import dev.slipway.gotemplate.Kind;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntPredicate;

/**
 * A time.Time: a point in time seen in a zone.
 *
 * @param second seconds since 1970, UTC
 */
record Moment(long second, int nano, Zone zone) implements GoObject, JsonValue {
  static final GoType TYPE = GoType.basic(Kind.STRUCT, "time.Time");
  static final Moment ZERO = ofSeconds(Civil.seconds(1, 1, 1, 0, 0, 0));

  /** Go orders times by their seconds since the year 1, which wrap around. */
  private static final long SECONDS_FROM_YEAR_1 = -ZERO.second;

  private static final Map<String, Member> MEMBERS = declared();

  /** The moment that clocks in the zone show as so many seconds since 1970. */
  static Moment ofLocal(long seconds, int nano, Zone zone) {
    long guess = seconds - zone.offsetAt(seconds);
    return new Moment(seconds - zone.offsetAt(guess), nano, zone);
  }

  static Moment ofSeconds(long seconds) {
    return new Moment(seconds, 0, Zone.UTC);
  }

  static Moment of(Instant instant) {
    return new Moment(instant.getEpochSecond(), instant.getNano(), Zone.UTC);
  }

  Moment in(Zone other) {
    return new Moment(second, nano, other);
  }

  Moment plus(long nanoseconds) {
    long sum = nano + Math.floorMod(nanoseconds, GoDuration.SECOND);
    long seconds = Math.floorDiv(nanoseconds, GoDuration.SECOND) + sum / GoDuration.SECOND;
    return new Moment(second + seconds, (int) (sum % GoDuration.SECOND), zone);
  }

  Civil local() {
    return Civil.at(second + offset());
  }

  int offset() {
    return zone.offsetAt(second);
  }

  String abbreviation() {
    return zone.abbreviationAt(second);
  }

  String format(String layout) {
    return TimeLayout.of(layout).format(this);
  }

  /** Nanoseconds since another moment; at most what 64 bits hold. */
  GoDuration since(Moment other) {
    long nanoseconds = (second - other.second) * GoDuration.SECOND + nano - other.nano;
    Moment reached = other.plus(nanoseconds);
    if (reached.second == second && reached.nano == nano) {
      return new GoDuration(nanoseconds);
    }
    return new GoDuration(compare(this, other) < 0 ? Long.MIN_VALUE : Long.MAX_VALUE);
  }

  private static int compare(Moment a, Moment b) {
    int seconds = Long.compare(a.second + SECONDS_FROM_YEAR_1, b.second + SECONDS_FROM_YEAR_1);
    return seconds != 0 ? seconds : Integer.compare(a.nano, b.nano);
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

  private static Member test(IntPredicate test) {
    return Member.method(
        (self, call) -> test.test(compare((Moment) self, call.object(0, Moment.class))), TYPE);
  }

  private static Object formatted(GoObject self, Call call) {
    call.room(40L * call.string(0).length());
    return ((Moment) self).format(call.string(0));
  }

  /** Years, months and days added; a day that the month does not have runs into the next. */
  private static Object dateAdded(GoObject self, Call call) {
    Moment moment = (Moment) self;
    Civil local = moment.local();
    long seconds =
        Civil.seconds(
            local.year() + call.integer(0),
            local.month() + call.integer(1),
            local.day() + call.integer(2),
            local.hour(),
            local.minute(),
            local.second());
    return ofLocal(seconds, moment.nano, moment.zone);
  }

  private static Map<String, Member> declared() {
    Map<String, Member> all = new HashMap<>();
    all.put("Year", method(m -> m.local().year()));
    all.put("Month", method(m -> CalendarName.month(m.local().month())));
    all.put("Day", method(m -> (long) m.local().day()));
    all.put("Weekday", method(m -> CalendarName.weekday(m.local().weekday())));
    all.put("YearDay", method(m -> (long) m.local().yearDay()));
    all.put("Hour", method(m -> (long) m.local().hour()));
    all.put("Minute", method(m -> (long) m.local().minute()));
    all.put("Second", method(m -> (long) m.local().second()));
    all.put("Nanosecond", method(m -> (long) m.nano));
    all.put("Unix", method(m -> GoInteger.int64(m.second)));
    all.put("UnixMilli", method(m -> GoInteger.int64(m.second * 1000 + m.nano / 1_000_000)));
    all.put("UnixNano", method(m -> GoInteger.int64(m.second * GoDuration.SECOND + m.nano)));
    all.put("UTC", method(m -> m.in(Zone.UTC)));
    all.put("Local", method(m -> m.in(Zone.UTC)));
    all.put("IsZero", method(m -> compare(m, ZERO) == 0));
    all.put("String", method(Moment::text));
    all.put("AddDate", Member.method(Moment::dateAdded, GoType.INT, GoType.INT, GoType.INT));
    all.put("Format", Member.method(Moment::formatted, GoType.STRING));
    all.put("Before", test(c -> c < 0));
    all.put("After", test(c -> c > 0));
    all.put("Equal", test(c -> c == 0));
    all.put(
        "Sub",
        Member.method((self, call) -> ((Moment) self).since(call.object(0, Moment.class)), TYPE));
    all.put(
        "Add",
        Member.method(
            (self, call) -> ((Moment) self).plus(call.object(0, GoDuration.class).nanoseconds()),
            GoDuration.TYPE));
    return Map.copyOf(all);
  }
}
