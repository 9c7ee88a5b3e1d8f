package dev.slipway.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.slipway.postgres.Page;
import dev.slipway.postgres.Total;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The page of a list that the client requests. */
public record Paging(int limit, @Nullable String after) {
  static final int USUAL = 50;
  static final int MOST = 100;

  /** Nearly every short word is valid base64; the mark tells positions from such words. */
  private static final String MARK = "at:";

  /** One page of a list as sent. Longer lists are counted only up to the maximum. */
  public record Piece(
      List<?> data,
      @JsonProperty("continue") @Nullable String next,
      long total,
      @Nullable Boolean totalCapped) {}

  /** The page that the call requests; a larger limit than the maximum is reduced to it. */
  public static Paging of(Call call) {
    long limit = call.number("limit").orElse((long) USUAL);
    if (limit < 1) {
      throw Problem.badRequest("The parameter 'limit' is at least 1.").exception();
    }
    return new Paging(
        (int) Math.min(limit, MOST), call.query("continue").map(Paging::decode).orElse(null));
  }

  /** The page as sent. */
  public static <T> Piece page(Page<T> page, Function<T, ?> view) {
    return page(page.data().stream().map(view).toList(), page.next(), page.total());
  }

  public static Piece page(List<?> data, Optional<String> next, long total) {
    return new Piece(
        data,
        next.map(Paging::encode).orElse(null),
        Math.min(total, Total.MOST),
        total > Total.MOST ? Boolean.TRUE : null);
  }

  /** Positions are opaque to clients, so that their content may change. */
  static String encode(String position) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString((MARK + position).getBytes(StandardCharsets.UTF_8));
  }

  private static String decode(String token) {
    try {
      String position = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
      if (!position.startsWith(MARK)) {
        throw unknownPosition();
      }
      return position.substring(MARK.length());
    } catch (IllegalArgumentException e) {
      throw unknownPosition();
    }
  }

  /** The position as a number, for lists that are ordered by one. */
  public @Nullable Long afterNumber() {
    try {
      return after == null ? null : Long.valueOf(after);
    } catch (NumberFormatException e) {
      throw unknownPosition();
    }
  }

  /** The position as an id. */
  public @Nullable UUID afterId() {
    return after == null ? null : Call.uuid(after).orElseThrow(Paging::unknownPosition);
  }

  private static ProblemException unknownPosition() {
    return Problem.badRequest(
            "The parameter 'continue' is not a position that this list gave. Leave it out to start"
                + " from the beginning.")
        .exception();
  }
}
