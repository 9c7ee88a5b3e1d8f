package dev.slipway.server.api;

import dev.slipway.server.http.Fields;
import java.util.regex.Pattern;

/** Names that people give to users and teams. */
final class Names {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9._@-]{0,61}[a-z0-9])?");

  private Names() {}

  static String checked(String field, String name) {
    if (!NAME.matcher(name).matches()) {
      throw Fields.wrongField(
          field,
          "'"
              + name
              + "' is not a name: 1 to 63 lower-case letters, digits and . _ @ -, with a"
              + " letter or digit at both ends");
    }
    return name;
  }
}
