package dev.slipway.steps;

import dev.slipway.engine.value.Json;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The response to an http step. */
record HttpAnswer(HttpResponse<?> response) {
  private static final Duration LONGEST = Duration.ofMinutes(15);

  /** How long the server asks to wait before the next attempt, at most 15 minutes. */
  Duration retryAfter(InstantSource clock) {
    String written = response.headers().firstValue("Retry-After").orElse("").strip();
    Duration asked = Duration.ZERO;
    try {
      asked =
          written.matches("\\d{1,9}")
              ? Duration.ofSeconds(Long.parseLong(written))
              : Duration.between(
                  clock.instant(),
                  ZonedDateTime.parse(written, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeParseException e) {
      // The header is missing or has another form.
    }
    return asked.isNegative() ? Duration.ZERO : asked.compareTo(LONGEST) > 0 ? LONGEST : asked;
  }

  String advice() {
    return response.statusCode() / 100 == 3
        ? "No redirect is followed: call "
            + response.headers().firstValue("Location").orElse("the new address")
            + " itself, if its host is granted."
        : "The answer of an unexpected status is not kept: add the status to expectStatus to read"
            + " it.";
  }

  Map<String, Object> outputs(String body) {
    Map<String, Object> headers = new TreeMap<>();
    response
        .headers()
        .map()
        .forEach((k, v) -> headers.put(k.toLowerCase(Locale.ROOT), String.join(", ", v)));
    headers.remove("set-cookie");
    Map<String, Object> outputs = new LinkedHashMap<>();
    outputs.put("status", (long) response.statusCode());
    outputs.put("headers", headers);
    outputs.put("body", body);
    try {
      outputs.put("json", body.isBlank() ? null : Json.read(body));
    } catch (IllegalArgumentException e) {
      outputs.put("json", null);
    }
    return outputs;
  }

  boolean expected(@Nullable Object expect) {
    return switch (expect) {
      case null -> response.statusCode() / 100 == 2;
      case List<?> list ->
          list.stream()
              .anyMatch(e -> HttpCall.text(e).equals(String.valueOf(response.statusCode())));
      default -> HttpCall.text(expect).equals(String.valueOf(response.statusCode()));
    };
  }

  static String expectation(@Nullable Object expect) {
    return expect == null ? "2xx" : Json.write(expect);
  }
}
