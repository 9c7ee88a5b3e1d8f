package dev.slipway.web;

import java.util.regex.Pattern;

/** Checks names of users and teams. */
public final class Names {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9._@-]{0,61}[a-z0-9])?");

  private Names() {}

  public static String checked(String field, String name) {
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
