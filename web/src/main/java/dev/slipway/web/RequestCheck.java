package dev.slipway.web;

import dev.slipway.engine.intake.Nearest;
import io.javalin.http.Context;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Holds parameters and content of a request to what its route declares. */
final class RequestCheck {
  private static final Set<String> DOCUMENT_TYPES =
      Set.of(
          "application/yaml",
          "application/x-yaml",
          "text/yaml",
          "text/x-yaml",
          "text/plain",
          "application/json",
          "application/octet-stream");

  private RequestCheck() {}

  static void parameters(Context context, Route route) {
    for (String given : context.queryParamMap().keySet()) {
      if (given.equals("token") || given.equals("access_token") || given.equals("api_key")) {
        throw Problem.badRequest(
                "A token in the address ends up in logs. Send it in the Authorization header, and"
                    + " revoke this one.")
            .exception();
      }
      if (route.parameters().stream().noneMatch(p -> p.covers(given))) {
        List<String> known = route.parameters().stream().map(Route.Parameter::name).toList();
        String hint = Nearest.hintOrList(given, known);
        throw Problem.badRequest(
                "There is no parameter '" + given + "' here." + (hint == null ? "" : " " + hint))
            .exception();
      }
    }
  }

  static void content(Context context, Route route) {
    String type = context.contentType();
    if (type == null || context.contentLength() == 0) {
      return;
    }
    String plain = type.replaceAll(";.*", "").strip().toLowerCase(Locale.ROOT);
    boolean fits =
        switch (route.consumes()) {
          case NONE -> true;
          case JSON, OPTIONAL_JSON -> plain.equals("application/json") || plain.endsWith("+json");
          case DOCUMENT, OPTIONAL_DOCUMENT -> DOCUMENT_TYPES.contains(plain);
        };
    if (!fits) {
      String wanted =
          switch (route.consumes()) {
            case DOCUMENT, OPTIONAL_DOCUMENT -> "application/yaml or application/json";
            case NONE, JSON, OPTIONAL_JSON -> "application/json";
          };
      throw Problem.of(
              415,
              "unsupported-media-type",
              "The content type is not supported",
              "Send " + wanted + " instead of " + plain + ".")
          .exception();
    }
  }
}
