package dev.slipway.steps.sql;

import dev.slipway.engine.workflow.SqlDialect;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;

/** The supported database servers and their differences. */
enum SqlServer {
  POSTGRESQL(SqlDialect.POSTGRESQL, List.of("jdbc:postgresql:"), "", Set.of()) {
    @Override
    Properties properties(String label) {
      Properties properties = new Properties();
      properties.setProperty("connectTimeout", "10");
      properties.setProperty("ApplicationName", label);
      return properties;
    }
  },
  /** Also MySQL, which uses the same protocol. */
  MARIADB(
      SqlDialect.MYSQL,
      List.of("jdbc:mariadb:", "jdbc:mysql:"),
      // At the end of the address, where nothing can override them: the server could request files
      // of this machine, and a statement could contain a second one.
      "allowLocalInfile=false&allowMultiQueries=false&yearIsDateType=false",
      Set.of(
          1040, 1053, 1158, 1159, 1160, 1161, 1203, 1205, 1213, 1317, 1836, 1927, 2002, 2003, 2006,
          2013, 4031)) {
    @Override
    Properties properties(String label) {
      Properties properties = new Properties();
      properties.setProperty("connectTimeout", "10000");
      properties.setProperty("connectionAttributes", "program_name:" + label);
      return properties;
    }
  };

  private static final Pattern QUERY =
      Pattern.compile("[\\s(]*+(?:SELECT|WITH|VALUES)\\b", Pattern.CASE_INSENSITIVE);
  private static final int LONGEST_LABEL = 60;

  private final SqlDialect dialect;
  private final List<String> prefixes;
  private final String forced;

  /** Error codes of transient failures: locks, shutdowns, broken or too many connections. */
  private final Set<Integer> passing;

  SqlServer(SqlDialect dialect, List<String> prefixes, String forced, Set<Integer> passing) {
    this.dialect = dialect;
    this.prefixes = prefixes;
    this.forced = forced;
    this.passing = passing;
  }

  abstract Properties properties(String label);

  /** The server of that address; empty for one that is not supported. */
  static Optional<SqlServer> at(String url) {
    for (SqlServer server : values()) {
      if (server.prefixes.stream().anyMatch(url::startsWith)) {
        return Optional.of(server);
      }
    }
    return Optional.empty();
  }

  SqlDialect dialect() {
    return dialect;
  }

  /** Connects, to another database of the same server if one is named. */
  Connection connect(SqlConnections.Target target, Optional<String> database, String label)
      throws SQLException {
    Properties properties =
        properties("slipway " + label.substring(0, Math.min(label.length(), LONGEST_LABEL)));
    properties.setProperty("user", target.username());
    properties.setProperty("password", target.password());
    String url = prefixes.getFirst() + target.url().replaceFirst("^jdbc:[a-z]+:", "");
    String chosen = database.map(name -> otherDatabase(url, name)).orElse(url);
    return DriverManager.getConnection(withForced(chosen), properties);
  }

  private String withForced(String url) {
    return forced.isEmpty() ? url : url + (url.contains("?") ? "&" : "?") + forced;
  }

  /** Replaces the last path segment of the address. */
  private static String otherDatabase(String url, String database) {
    int query = url.indexOf('?');
    String base = query < 0 ? url : url.substring(0, query);
    String rest = query < 0 ? "" : url.substring(query);
    return base.substring(0, base.lastIndexOf('/') + 1)
        + URLEncoder.encode(database, StandardCharsets.UTF_8)
        + rest;
  }

  /** Whether the same statement may succeed later. */
  boolean passing(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    return brokenConnection(e)
        || passing.contains(e.getErrorCode())
        || e instanceof SQLTransientException
        || state.startsWith("40")
        || state.startsWith("57P")
        || Set.of("53200", "53300", "55P03").contains(state);
  }

  /** Whether the outcome of the last statement is unknown. */
  static boolean brokenConnection(SQLException e) {
    return e.getSQLState() != null && e.getSQLState().startsWith("08")
        || e instanceof SQLRecoverableException;
  }

  /**
   * Whether the server can limit the rows. MariaDB's driver puts the limit before the statement,
   * which not every kind of statement accepts.
   */
  boolean limitsRows(String statement) {
    return switch (this) {
      case POSTGRESQL -> true;
      case MARIADB -> QUERY.matcher(statement).lookingAt();
    };
  }

  /**
   * Whether this statement commits the transaction around it, which MariaDB does without an error.
   */
  boolean commitsByItself(String statement) {
    return switch (this) {
      case POSTGRESQL -> false;
      case MARIADB -> ImplicitCommit.of(statement);
    };
  }
}
