package dev.slipway.gotemplate.sprig;

/**
 * A day and a time of day in the calendar that is used today, for every second that 64 bits can
 * count; Java's calendar is smaller.
 *
 * @param weekday 0 is Sunday
 */
record Civil(
    long year, int month, int day, int hour, int minute, int second, int weekday, int yearDay) {
  private static final long DAY = 86_400;
  private static final long DAYS_OF_400_YEARS = 146_097;

  /** Go counts from so many days before 1970 without a sign. */
  private static final long DAYS_BEFORE_1970 = 106751991073400L;

  /** The day and time at so many seconds after 1970, UTC. */
  static Civil at(long seconds) {
    long unsigned = seconds + DAYS_BEFORE_1970 * DAY;
    long days = Long.divideUnsigned(unsigned, DAY) - DAYS_BEFORE_1970;
    int rest = (int) Long.remainderUnsigned(unsigned, DAY);
    // Years begin in March here, so that the leap day is the last day of a year.
    long marchDays = days + 719_468;
    long cycle = Math.floorDiv(marchDays, DAYS_OF_400_YEARS);
    int ofCycle = (int) Math.floorMod(marchDays, DAYS_OF_400_YEARS);
    int yearOfCycle = (ofCycle - ofCycle / 1460 + ofCycle / 36_524 - ofCycle / 146_096) / 365;
    int ofYear = ofCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100);
    int marchMonth = (5 * ofYear + 2) / 153;
    int month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
    long year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0);
    return new Civil(
        year,
        month,
        ofYear - (153 * marchMonth + 2) / 5 + 1,
        rest / 3600,
        rest / 60 % 60,
        rest % 60,
        (int) Math.floorMod(days + 4, 7L),
        (int) (days - daysTo(year, 1, 1)) + 1);
  }

  /** Seconds after 1970, UTC; months and days may be out of their bounds and run over. */
  static long seconds(long year, long month, long day, int hour, int minute, int second) {
    long whole = Math.floorDiv(month - 1, 12L);
    int inYear = (int) Math.floorMod(month - 1, 12L) + 1;
    long days = daysTo(year + whole, inYear, 1) + day - 1;
    return days * DAY + hour * 3600L + minute * 60L + second;
  }

  private static long daysTo(long year, int month, int day) {
    long marchYear = month <= 2 ? year - 1 : year;
    long cycle = Math.floorDiv(marchYear, 400L);
    int yearOfCycle = (int) Math.floorMod(marchYear, 400L);
    int ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    int ofCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + ofYear;
    return cycle * DAYS_OF_400_YEARS + ofCycle - 719_468;
  }

  static int daysIn(long year, int month) {
    return (int)
        (daysTo(month == 12 ? year + 1 : year, month % 12 + 1, 1) - daysTo(year, month, 1));
  }
}
