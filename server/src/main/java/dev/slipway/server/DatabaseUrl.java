package dev.slipway.server;

import dev.slipway.postgres.Database;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The JDBC address of an external PostgreSQL; its password is never shown. */
public record DatabaseUrl(Database.Address address) {
  private static final String JDBC = "jdbc:postgresql://";

  static DatabaseUrl parse(String text, UnaryOperator<@Nullable String> environment) {
    if (text.startsWith("postgres://") || text.startsWith("postgresql://")) {
      return fromUri(URI.create(text), environment);
    }
    if (!text.startsWith(JDBC)) {
      throw StartFailure.usage(
          "--database takes an address like jdbc:postgresql://host:5432/slipway?user=slipway; the"
              + " password goes into SLIPWAY_DATABASE_PASSWORD.");
    }
    int question = text.indexOf('?');
    String user = environment.apply("SLIPWAY_DATABASE_USER");
    String password = environment.apply("SLIPWAY_DATABASE_PASSWORD");
    List<String> others = new ArrayList<>();
    if (question >= 0) {
      for (String parameter : text.substring(question + 1).split("&")) {
        if (parameter.startsWith("user=")) {
          user = decoded(parameter.substring("user=".length()));
        } else if (parameter.startsWith("password=")) {
          password = decoded(parameter.substring("password=".length()));
        } else if (!parameter.isEmpty()) {
          others.add(parameter);
        }
      }
    }
    String plain = question < 0 ? text : text.substring(0, question);
    return of(plain + (others.isEmpty() ? "" : "?" + String.join("&", others)), user, password);
  }

  private static DatabaseUrl fromUri(URI uri, UnaryOperator<@Nullable String> environment) {
    String user = environment.apply("SLIPWAY_DATABASE_USER");
    String password = environment.apply("SLIPWAY_DATABASE_PASSWORD");
    if (uri.getRawUserInfo() != null) {
      String[] parts = uri.getRawUserInfo().split(":", 2);
      user = decoded(parts[0]);
      password = parts.length == 2 ? decoded(parts[1]) : password;
    }
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return of(JDBC + uri.getHost() + port + uri.getRawPath() + query, user, password);
  }

  private static DatabaseUrl of(String url, @Nullable String user, @Nullable String password) {
    return new DatabaseUrl(
        new Database.Address(
            url,
            user == null ? System.getProperty("user.name") : user,
            password == null ? "" : password));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return address.toString();
  }
}
