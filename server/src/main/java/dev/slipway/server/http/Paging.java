package dev.slipway.server.http;

import dev.slipway.postgres.Total;
import dev.slipway.postgres.access.Slice;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which piece of a list is asked for. */
public record Paging(int limit, @Nullable String after) {
  static final int USUAL = 50;
  static final int MOST = 100;

  /** Nearly every short word is base64 of something: this tells positions from words. */
  private static final String MARK = "at:";

  /** One piece of a list as it is sent. Longer lists are counted no further than the most. */
  public record Page(
      List<?> data,
      @com.fasterxml.jackson.annotation.JsonProperty("continue") @Nullable String next,
      long total,
      @Nullable Boolean totalCapped) {}

  /** What the call asks for; more than the most is cut to it. */
  public static Paging of(Call call) {
    long limit = call.number("limit").orElse((long) USUAL);
    if (limit < 1) {
      throw Problem.badRequest("The parameter 'limit' is at least 1.").exception();
    }
    return new Paging(
        (int) Math.min(limit, MOST), call.query("continue").map(Paging::decode).orElse(null));
  }

  /** The piece as it is sent. */
  public static <T> Page page(Slice<T> slice, Function<T, ?> view) {
    return page(slice.rows().stream().map(view).toList(), slice.next(), slice.total());
  }

  public static Page page(List<?> data, Optional<String> next, long total) {
    return new Page(
        data,
        next.map(Paging::encode).orElse(null),
        Math.min(total, Total.MOST),
        total > Total.MOST ? Boolean.TRUE : null);
  }

  /** Positions are opaque to clients, so that they may change. */
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
  public java.util.@Nullable UUID afterId() {
    return after == null ? null : Call.uuid(after).orElseThrow(Paging::unknownPosition);
  }

  private static ProblemException unknownPosition() {
    return Problem.badRequest(
            "The parameter 'continue' is not a position that this list gave. Leave it out to start"
                + " from the beginning.")
        .exception();
  }
}
