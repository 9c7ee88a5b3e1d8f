package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.GoObject;
import dev.slipway.gotemplate.GoType;
import dev.slipway.gotemplate.Kind;
import java.util.List;
import java.util.Map;

/** A month or a day of the week: a number that prints as its English name. */
record CalendarName(GoType type, long number, String text) implements GoObject, JsonValue {
  static final List<String> MONTHS =
      List.of(
          "January",
          "February",
          "March",
          "April",
          "May",
          "June",
          "July",
          "August",
          "September",
          "October",
          "November",
          "December");
  static final List<String> DAYS =
      List.of("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday");

  private static final GoType MONTH = GoType.basic(Kind.INT, "time.Month");
  private static final GoType WEEKDAY = GoType.basic(Kind.INT, "time.Weekday");
  private static final Map<String, Member> MEMBERS =
      Map.of("String", Member.method((self, call) -> self.text()));

  static CalendarName month(int number) {
    return new CalendarName(MONTH, number, MONTHS.get(number - 1));
  }

  static CalendarName weekday(int number) {
    return new CalendarName(WEEKDAY, number, DAYS.get(number));
  }

  @Override
  public Object underlying() {
    return number;
  }

  @Override
  public Object json() {
    return number;
  }

  @Override
  public Map<String, Member> members() {
    return MEMBERS;
  }
}
