package dev.slipway.kubernetes.lua;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** The two functions of library {@code os} that Argo CD allows. The time zone is UTC. */
final class OsLibrary {
  private OsLibrary() {}

  static LuaTable open() {
    LuaTable library = new LuaTable();
    Native.add(library, "time", OsLibrary::time);
    Native.add(library, "date", OsLibrary::date);
    return library;
  }

  private static Varargs time(Arguments a) {
    if (a.count() == 0) {
      return LuaValue.valueOf((double) a.evaluation().now().getEpochSecond());
    }
    LuaTable fields = a.table(1);
    // Fields beyond their usual range carry over, as in Go.
    LocalDateTime time =
        LocalDateTime.of(field(fields, "year", -1), 1, 1, 0, 0)
            .plusMonths(field(fields, "month", -1) - 1L)
            .plusDays(field(fields, "day", -1) - 1L)
            .plusHours(field(fields, "hour", 12))
            .plusMinutes(field(fields, "min", 0))
            .plusSeconds(field(fields, "sec", 0));
    return LuaValue.valueOf((double) time.toEpochSecond(ZoneOffset.UTC));
  }

  private static int field(LuaTable fields, String name, int absent) {
    LuaValue value = fields.rawget(name);
    int given = value.type() == LuaValue.TNUMBER ? (int) value.todouble() : absent;
    return Math.clamp(given, -100_000_000, 100_000_000);
  }

  private static Varargs date(Arguments a) {
    String format = a.count() >= 1 ? a.text(1).tojstring() : "%c";
    Instant at = a.evaluation().now();
    if (a.count() >= 2) {
      at = Instant.ofEpochSecond(Math.clamp((long) a.number(2), -1L << 40, 1L << 40));
    }
    ZonedDateTime time = at.atZone(ZoneOffset.UTC);
    String plain = format.startsWith("!") ? format.substring(1) : format;
    return plain.startsWith("*t") ? fields(a, time) : LuaValue.valueOf(text(a, plain, time));
  }

  private static LuaTable fields(Arguments a, ZonedDateTime time) {
    a.evaluation().allocate(1024);
    LuaTable fields = new LuaTable();
    fields.set("year", time.getYear());
    fields.set("month", time.getMonthValue());
    fields.set("day", time.getDayOfMonth());
    fields.set("hour", time.getHour());
    fields.set("min", time.getMinute());
    fields.set("sec", time.getSecond());
    fields.set("wday", time.getDayOfWeek().getValue() % 7 + 1);
    fields.set("yday", 0);
    fields.set("isdst", LuaValue.FALSE);
    return fields;
  }

  private static String text(Arguments a, String format, ZonedDateTime time) {
    a.evaluation().work(format.length());
    a.evaluation().allocateText(8L * format.length());
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (c != '%' || i + 1 == format.length()) {
        out.append(c);
      } else {
        out.append(flag(format.charAt(++i), time));
      }
    }
    return out.toString();
  }

  private static String flag(char flag, ZonedDateTime time) {
    return switch (flag) {
      case '%' -> "%";
      case 'a' -> "mon"; // Argo CD's table of layouts has it so
      case 'A' -> format("EEEE", time);
      case 'b' -> format("MMM", time);
      case 'B' -> format("MMMM", time);
      case 'c' -> format("dd MMM yy HH:mm", time) + " UTC";
      case 'd' -> format("dd", time);
      case 'F' -> format("yyyy-MM-dd", time);
      case 'H' -> format("HH", time);
      case 'I' -> format("hh", time);
      case 'm' -> format("MM", time);
      case 'M' -> format("mm", time);
      case 'p' -> format("a", time).toUpperCase(Locale.ROOT);
      case 'P' -> format("a", time).toLowerCase(Locale.ROOT);
      case 'S' -> format("ss", time);
      case 'x' -> format("HH/mm/ss", time);
      case 'X' -> format("HH:mm:ss", time);
      case 'y' -> format("yy", time);
      case 'Y' -> format("yyyy", time);
      case 'z' -> "+0000";
      case 'Z' -> "UTC";
      case 'w' -> String.valueOf(time.getDayOfWeek().getValue() % 7);
      default -> "%" + flag;
    };
  }

  private static String format(String pattern, ZonedDateTime time) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).format(time);
  }
}
