package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.GoInteger;
import dev.slipway.gotemplate.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Dates. The local zone is UTC; the present is that of a clock. */
final class DateFunctions {
  private static final long DAY = 24 * GoDuration.HOUR;

  private DateFunctions() {}

  /** What needs no clock, as long as a date is given. */
  static List<Function> dates() {
    return new FunctionGroup("Dates")
        .add(
            "date",
            "(layout string, date any) string",
            "the date in a Go layout",
            c -> format(c, c.string(0), c.any(1), "Local"))
        .add(
            "dateInZone",
            "(layout string, date any, zone string) string",
            "the date in a Go layout and a zone",
            c -> format(c, c.string(0), c.any(1), c.string(2)))
        .also("date_in_zone")
        .add(
            "htmlDate",
            "(date any) string",
            "the date as 2006-01-02",
            c -> format(c, "2006-01-02", c.any(0), "Local"))
        .add(
            "htmlDateInZone",
            "(date any, zone string) string",
            "the date as 2006-01-02 in a zone",
            c -> format(c, "2006-01-02", c.any(0), c.string(1)))
        .add(
            "dateModify",
            "(duration string, date time.Time) time.Time",
            "the date moved by a duration such as -1.5h",
            DateFunctions::leniently)
        .also("date_modify")
        .add(
            "mustDateModify",
            "(duration string, date time.Time) time.Time",
            "the date moved by a duration",
            DateFunctions::moved)
        .also("must_date_modify")
        .add(
            "toDate",
            "(layout string, s string) time.Time",
            "the date in a text; year 1 when it is none",
            DateFunctions::lenientDate)
        .add(
            "mustToDate",
            "(layout string, s string) time.Time",
            "the date in a text",
            DateFunctions::date)
        .add(
            "unixEpoch",
            "(date time.Time) string",
            "seconds since 1970",
            c -> Long.toString(moment(c, 0).second()))
        .add("duration", "(seconds any) string", "seconds as a duration", DateFunctions::duration)
        .add(
            "durationRound",
            "(duration any) string",
            "a duration in its largest unit",
            DateFunctions::rounded)
        .all();
  }

  /** What always needs the clock. */
  static List<Function> present() {
    return new FunctionGroup("Dates")
        .add("now", "() time.Time", "the present", DateFunctions::now)
        .add(
            "ago",
            "(date any) string",
            "the time since a date",
            c -> now(c).since(dateOf(c, c.any(0), Kind.INT64)).roundedToSecond().text())
        .all();
  }

  private static Moment now(Call call) {
    return Moment.of(call.clock().instant());
  }

  private static Moment moment(Call call, int index) {
    return call.object(index, Moment.class);
  }

  /** Times and seconds since 1970 are dates; anything else is the present. */
  private static Moment dateOf(Call call, @Nullable Object value, Kind... kinds) {
    return switch (value) {
      case Moment moment -> moment;
      case Long seconds -> Moment.ofSeconds(seconds);
      case Integer seconds -> Moment.ofSeconds(seconds);
      case GoInteger seconds when List.of(kinds).contains(seconds.kind()) ->
          Moment.ofSeconds(seconds.value());
      case null, default -> now(call);
    };
  }

  private static String format(Call call, String layout, @Nullable Object date, String zone) {
    call.room(40L * layout.length());
    Moment moment = dateOf(call, date, Kind.INT64, Kind.INT32);
    return moment.in(Zone.named(zone).orElse(Zone.UTC)).format(layout);
  }

  private static Moment moved(Call call) {
    try {
      return moment(call, 1).plus(GoDuration.parse(call.string(0)).nanoseconds());
    } catch (IllegalArgumentException e) {
      throw call.fail(String.valueOf(e.getMessage()));
    }
  }

  private static Moment leniently(Call call) {
    try {
      return moment(call, 1).plus(GoDuration.parse(call.string(0)).nanoseconds());
    } catch (IllegalArgumentException e) {
      return moment(call, 1);
    }
  }

  private static Moment date(Call call) {
    try {
      call.charge(call.string(0).length() + call.string(1).length());
      return TimeParser.parse(call.string(0), call.string(1));
    } catch (IllegalArgumentException e) {
      throw call.fail(String.valueOf(e.getMessage()));
    }
  }

  private static Moment lenientDate(Call call) {
    try {
      call.charge(call.string(0).length() + call.string(1).length());
      return TimeParser.parse(call.string(0), call.string(1));
    } catch (IllegalArgumentException e) {
      return Moment.ZERO;
    }
  }

  private static String duration(Call call) {
    long seconds =
        switch (call.any(0)) {
          case String text -> GoNumbers.nearest(text, 10).orElse(0L);
          case GoInteger n when n.kind() == Kind.INT64 -> n.value();
          case null, default -> 0L;
        };
    return new GoDuration(seconds * GoDuration.SECOND).text();
  }

  private static String rounded(Call call) {
    long nanoseconds =
        switch (call.any(0)) {
          case String text -> lenientDuration(text);
          case GoInteger n when n.kind() == Kind.INT64 -> n.value();
          case Moment moment -> now(call).since(moment).nanoseconds();
          case null, default -> 0L;
        };
    long size = Math.abs(nanoseconds);
    long[] units = {
      365 * DAY, 30 * DAY, DAY, GoDuration.HOUR, 60 * GoDuration.SECOND, GoDuration.SECOND
    };
    String[] names = {"y", "mo", "d", "h", "m", "s"};
    for (int i = 0; i < units.length; i++) {
      if (size > units[i] || size < 0) {
        return Long.divideUnsigned(size, units[i]) + names[i];
      }
    }
    return "0s";
  }

  private static long lenientDuration(String text) {
    try {
      return GoDuration.parse(text).nanoseconds();
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }
}
