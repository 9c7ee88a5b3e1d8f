package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Dict;
import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.Values;
import java.util.List;
import java.util.Map;

/** URLs as dicts. */
final class UrlFunctions {
  private UrlFunctions() {}

  static List<Function> all() {
    return new FunctionGroup("URLs")
        .add(
            "urlParse",
            "(url string) map[string]any",
            "scheme, userinfo, host, hostname, path, query, opaque and fragment",
            UrlFunctions::parse)
        .add("urlJoin", "(d map[string]any) string", "the URL of such a dict", UrlFunctions::join)
        .all();
  }

  private static Map<String, Object> parse(Call call) {
    call.charge(call.string(0).length() >> 2);
    Url url = parsed(call, call.string(0), "unable to parse url: ");
    Map<String, Object> dict = new Dict();
    dict.put("scheme", url.scheme());
    dict.put("host", url.host());
    dict.put("hostname", url.hostname());
    dict.put("path", url.path());
    dict.put("query", url.query());
    dict.put("opaque", url.opaque());
    dict.put("fragment", url.fragment());
    dict.put("userinfo", url.user());
    return dict;
  }

  private static Url parsed(Call call, String text, String prefix) {
    try {
      return Url.parse(text);
    } catch (IllegalArgumentException e) {
      throw call.fail(prefix + "parse " + call.format("%q", text) + ": " + e.getMessage());
    }
  }

  private static String join(Call call) {
    String user = text(call, "userinfo");
    Url url =
        new Url(
            text(call, "scheme"),
            text(call, "opaque"),
            user.isEmpty()
                ? ""
                : parsed(call, "proto://" + user + "@host", "unable to parse userinfo in dict: ")
                    .user(),
            text(call, "host"),
            text(call, "path"),
            text(call, "query"),
            text(call, "fragment"));
    call.room(3L * call.map(0).values().stream().mapToLong(v -> call.print(v).length()).sum());
    return url.text();
  }

  private static String text(Call call, String key) {
    if (!call.map(0).containsKey(key)) {
      return "";
    }
    Object value = call.map(0).get(key);
    if (!(value instanceof String text)) {
      throw call.fail(
          "unable to parse "
              + key
              + " key, must be of type string, but "
              + Values.kind(value)
              + " found");
    }
    return text;
  }
}
