package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Text;
import java.io.ByteArrayOutputStream;
import java.util.Locale;

/**
 * A URL in parts, read and written as Go's net/url does; path and fragment are decoded.
 *
 * @param user user name and password, encoded
 */
record Url(
    String scheme,
    String opaque,
    String user,
    String host,
    String path,
    String query,
    String fragment) {
  static Url parse(String text) {
    if (text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      throw new IllegalArgumentException("net/url: invalid control character in URL");
    }
    String[] main = cut(text, "#");
    String fragment = decoded(main[1], UrlPart.FRAGMENT);
    int colon = schemeEnd(main[0]);
    String scheme = main[0].substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT);
    String[] rest = cut(main[0].substring(colon + 1), "?");
    if (!rest[0].startsWith("/")) {
      if (colon > 0) {
        return new Url(scheme, rest[0], "", "", "", rest[1], fragment);
      }
      if (cut(rest[0], "/")[0].contains(":")) {
        throw new IllegalArgumentException("first path segment in URL cannot contain colon");
      }
    }
    if (!rest[0].startsWith("//") || colon < 0 && rest[0].startsWith("///")) {
      return new Url(scheme, "", "", "", decoded(rest[0], UrlPart.PATH), rest[1], fragment);
    }
    int slash = rest[0].indexOf('/', 2);
    String authority = rest[0].substring(2, slash < 0 ? rest[0].length() : slash);
    String path = slash < 0 ? "" : rest[0].substring(slash);
    int at = authority.lastIndexOf('@');
    String user = at < 0 ? "" : user(authority.substring(0, at));
    String host = host(authority.substring(at + 1));
    return new Url(scheme, "", user, host, decoded(path, UrlPart.PATH), rest[1], fragment);
  }

  private static String[] cut(String text, String separator) {
    int at = text.indexOf(separator);
    return at < 0
        ? new String[] {text, ""}
        : new String[] {text.substring(0, at), text.substring(at + 1)};
  }

  /** Where the colon behind the scheme is, or -1 when there is no scheme. */
  private static int schemeEnd(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = c < 128 && Character.isLetter(c);
      if (c == ':') {
        if (i == 0) {
          throw new IllegalArgumentException("missing protocol scheme");
        }
        return i;
      }
      if (!letter && (i == 0 || c >= 128 || "+-.0123456789".indexOf(c) < 0)) {
        return -1;
      }
    }
    return -1;
  }

  private static String user(String text) {
    boolean valid =
        text.chars()
            .allMatch(
                c ->
                    c < 128
                        && (Character.isLetterOrDigit(c) || "-._:~!$&'()*+,;=%@".indexOf(c) >= 0));
    if (!valid) {
      throw new IllegalArgumentException("net/url: invalid userinfo");
    }
    String[] parts = cut(text, ":");
    String name = encoded(decoded(parts[0], UrlPart.USER), UrlPart.USER);
    return text.contains(":")
        ? name + ":" + encoded(decoded(parts[1], UrlPart.USER), UrlPart.USER)
        : name;
  }

  private static String host(String text) {
    int from = text.lastIndexOf(']');
    if (text.startsWith("[") && from < 0) {
      throw new IllegalArgumentException("missing ']' in host");
    }
    String port = text.startsWith("[") ? text.substring(from + 1) : portOf(text);
    if (!port.isEmpty() && !(port.startsWith(":") && isNumber(port.substring(1)))) {
      throw new IllegalArgumentException("invalid port \"" + port + "\" after host");
    }
    return decoded(text, UrlPart.HOST);
  }

  private static String portOf(String text) {
    int colon = text.lastIndexOf(':');
    return colon < 0 ? "" : text.substring(colon);
  }

  private static boolean isNumber(String text) {
    return text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static String decoded(String text, UrlPart part) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] bytes = Text.bytes(text);
    for (int i = 0; i < bytes.length; i++) {
      int c = bytes[i] & 0xff;
      if (c == '%') {
        c = escape(bytes, i, part);
        i += 2;
      } else if (part == UrlPart.HOST && c < 128 && !part.keeps(c)) {
        throw new IllegalArgumentException("invalid character \"" + (char) c + "\" in host name");
      }
      out.write(c);
    }
    return Text.of(out.toByteArray());
  }

  private static int escape(byte[] bytes, int at, UrlPart part) {
    int high = at + 2 < bytes.length ? Character.digit(bytes[at + 1], 16) : -1;
    int low = at + 2 < bytes.length ? Character.digit(bytes[at + 2], 16) : -1;
    int value = high * 16 + low;
    boolean refused = part == UrlPart.HOST && high < 8 && value != '%';
    if (high < 0 || low < 0 || refused) {
      String wrong = Text.of(bytes, at, Math.min(at + 3, bytes.length));
      throw new IllegalArgumentException("invalid URL escape \"" + wrong + "\"");
    }
    return value;
  }

  private static String encoded(String text, UrlPart part) {
    StringBuilder out = new StringBuilder();
    for (byte b : Text.bytes(text)) {
      int c = b & 0xff;
      if (part.keeps(c)) {
        out.append((char) c);
      } else {
        out.append('%')
            .append("0123456789ABCDEF".charAt(c >> 4))
            .append("0123456789ABCDEF".charAt(c & 15));
      }
    }
    return out.toString();
  }

  /** The host without its port. */
  String hostname() {
    String text = host;
    int colon = text.lastIndexOf(':');
    boolean port = colon >= 0 && isNumber(text.substring(colon + 1));
    if (port && (!text.startsWith("[") || colon > text.lastIndexOf(']'))) {
      text = text.substring(0, colon);
    }
    return text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
  }

  String text() {
    StringBuilder out = new StringBuilder(scheme.isEmpty() ? "" : scheme + ":");
    if (!opaque.isEmpty()) {
      out.append(opaque);
    } else {
      boolean authority = !host.isEmpty() || !user.isEmpty();
      if (authority || !scheme.isEmpty() && !path.isEmpty()) {
        out.append("//");
      }
      out.append(user.isEmpty() ? "" : user + "@").append(encoded(host, UrlPart.HOST));
      String shown = path.equals("*") ? "*" : encoded(path, UrlPart.PATH);
      if (!shown.isEmpty() && !shown.startsWith("/") && !host.isEmpty()) {
        out.append('/');
      }
      if (out.isEmpty() && cut(shown, "/")[0].contains(":")) {
        out.append("./");
      }
      out.append(shown);
    }
    out.append(query.isEmpty() ? "" : "?" + query);
    return out.append(fragment.isEmpty() ? "" : "#" + encoded(fragment, UrlPart.FRAGMENT))
        .toString();
  }
}
