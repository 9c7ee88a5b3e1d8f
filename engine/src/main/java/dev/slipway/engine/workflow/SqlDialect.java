package dev.slipway.engine.workflow;

/** How a database writes names and texts in SQL. */
public enum SqlDialect {
  POSTGRESQL {
    @Override
    public String identifier(String name) {
      return '"' + name.replace("\"", "\"\"") + '"';
    }

    @Override
    public String literal(String text) {
      String doubled = text.replace("'", "''");
      return text.indexOf('\\') < 0
          ? "'" + doubled + "'"
          : " E'" + doubled.replace("\\", "\\\\") + "'";
    }
  },
  /** Also MariaDB. */
  MYSQL {
    @Override
    public String identifier(String name) {
      return '`' + name.replace("`", "``") + '`';
    }

    @Override
    public String literal(String text) {
      return "'" + text.replace("'", "''").replace("\\", "\\\\") + "'";
    }
  };

  /** A quoted name, whatever it contains. */
  public abstract String identifier(String name);

  /** A quoted text, whatever it contains. */
  public abstract String literal(String text);
}
