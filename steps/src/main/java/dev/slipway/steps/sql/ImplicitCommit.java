package dev.slipway.steps.sql;

import java.util.regex.Pattern;

/** Statements that make MariaDB and MySQL commit an open transaction before and after them. */
final class ImplicitCommit {
  private static final String BLANK = "(?:\\s|/\\*(?!!).*?\\*/|(?:--\\s|#)[^\\n]*\\n)";
  private static final Pattern FORM =
      Pattern.compile(
          BLANK
              + "*+(?:ALTER|CREATE(?!"
              + BLANK
              + "++TEMPORARY)|DROP(?!"
              + BLANK
              + "++TEMPORARY)|RENAME|TRUNCATE|GRANT|REVOKE|ANALYZE|OPTIMIZE|REPAIR|FLUSH|INSTALL"
              + "|UNINSTALL|BEGIN|START|COMMIT|LOCK|UNLOCK|CHECK|CACHE|RESET|SET"
              + BLANK
              + "++PASSWORD)\\b.*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private ImplicitCommit() {}

  static boolean of(String statement) {
    return FORM.matcher(statement).matches();
  }
}
