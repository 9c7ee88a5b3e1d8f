package dev.slipway.cli;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Turns a problem document (RFC 9457) into what a person reads. */
final class ApiProblem {
  private ApiProblem() {}

  static Failure failure(int status, String body, ClientSettings settings) {
    Map<String, Object> problem = parse(body);
    String title = text(problem, "title", "the server answered with status " + status);
    String detail = text(problem, "detail", "");
    List<String> lines = new ArrayList<>();
    for (Map<String, Object> error : Api.items(problem.get("errors"))) {
      lines.add(diagnostic(error));
    }
    lines.add(text(problem, "hint", ""));
    if (status == 401) {
      lines.add(
          settings.token().isPresent()
              ? "The token is not valid for " + settings.server() + ". Log in with: slipway login"
              : "No token was found. Log in with: slipway login, or set SLIPWAY_TOKEN");
    }
    String message = detail.isEmpty() || detail.equals(title) ? title : title + ": " + detail;
    return new Failure(exitCode(status, text(problem, "type", "")), message, lines);
  }

  /** {@code score.yaml:12:9: resources.db.type: no provider ...}. */
  static String diagnostic(Map<String, Object> error) {
    StringBuilder line = new StringBuilder();
    Object file = error.get("file");
    if (error.get("line") != null) {
      line.append(file == null ? "score.yaml" : file)
          .append(':')
          .append(error.get("line"))
          .append(':')
          .append(error.get("column"))
          .append(": ");
    }
    if ("warning".equalsIgnoreCase(text(error, "severity", ""))) {
      line.append("warning: ");
    }
    String path = text(error, "path", "");
    line.append(path.isEmpty() ? "" : path + ": ").append(text(error, "message", ""));
    String hint = text(error, "hint", "");
    return hint.isEmpty() ? line.toString() : line.append(". ").append(hint).toString();
  }

  private static ExitCode exitCode(int status, String type) {
    return switch (status) {
      case 409 -> ExitCode.CONFLICT;
      case 412 -> ExitCode.CONFLICT;
      default -> type.endsWith("stale-plan") ? ExitCode.CONFLICT : ExitCode.FAILED;
    };
  }

  private static Map<String, Object> parse(String body) {
    try {
      return Json.read(body) instanceof Map<?, ?> map ? Values.map(map) : Map.of();
    } catch (IllegalArgumentException e) {
      return Map.of();
    }
  }

  private static String text(Map<String, Object> map, String key, String otherwise) {
    return map.get(key) == null ? otherwise : String.valueOf(map.get(key));
  }
}
