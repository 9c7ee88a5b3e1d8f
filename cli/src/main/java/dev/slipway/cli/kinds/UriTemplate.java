package dev.slipway.cli.kinds;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A URI template (RFC 6570) of the forms that the table uses: {@code {name}}, {@code {?a,b}} and
 * {@code {&a,b}}.
 */
public record UriTemplate(String text) {
  private static final Pattern EXPRESSION = Pattern.compile("\\{([^}]*)}");
  private static final Pattern READABLE = Pattern.compile("[?&]?[A-Za-z0-9_.]+(,[A-Za-z0-9_.]+)*");

  public UriTemplate {
    if (!text.startsWith("/")) { // else it could lead to another host, with the caller's token
      throw new IllegalArgumentException("the template " + text + " does not begin with '/'");
    }
    EXPRESSION
        .matcher(text)
        .results()
        .filter(found -> !READABLE.matcher(found.group(1)).matches())
        .findFirst()
        .ifPresent(
            found -> {
              throw new IllegalArgumentException(
                  "the template " + text + " has an expression of another form: " + found.group());
            });
  }

  /** All variables, in order. */
  public List<String> variables() {
    return EXPRESSION
        .matcher(text)
        .results()
        .flatMap(found -> names(found.group(1)).stream())
        .distinct()
        .toList();
  }

  /** Variables of the path and of fixed parameters that these values leave open. */
  public List<String> missing(Map<String, ?> values) {
    return EXPRESSION
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .filter(expression -> !optional(expression))
        .flatMap(expression -> names(expression).stream())
        .filter(name -> values.get(name) == null)
        .distinct()
        .toList();
  }

  /** The address; parameters without a value are left out. */
  public String expand(Map<String, ?> values) {
    Matcher matcher = EXPRESSION.matcher(text);
    StringBuilder address = new StringBuilder();
    while (matcher.find()) {
      String expression = matcher.group(1);
      matcher.appendReplacement(address, "");
      address.append(optional(expression) ? query(expression, values) : simple(expression, values));
    }
    matcher.appendTail(address);
    return address.toString();
  }

  private static String query(String expression, Map<String, ?> values) {
    StringBuilder query = new StringBuilder();
    char separator = expression.charAt(0);
    for (String name : names(expression)) {
      Object value = values.get(name);
      if (value != null) {
        query.append(separator).append(name).append('=').append(encode(value));
        separator = '&';
      }
    }
    return query.toString();
  }

  private static String simple(String expression, Map<String, ?> values) {
    List<String> parts = new ArrayList<>();
    for (String name : names(expression)) {
      Object value = values.get(name);
      if (value != null) {
        parts.add(encode(value));
      }
    }
    return String.join(",", parts);
  }

  private static boolean optional(String expression) {
    return expression.startsWith("?") || expression.startsWith("&");
  }

  private static List<String> names(String expression) {
    return Arrays.asList((optional(expression) ? expression.substring(1) : expression).split(","));
  }

  private static String encode(@Nullable Object value) {
    return URLEncoder.encode(String.valueOf(value), StandardCharsets.UTF_8).replace("+", "%20");
  }
}
