package dev.slipway.server.api;

import dev.slipway.postgres.applications.Page;
import dev.slipway.server.http.Answer;
import dev.slipway.server.http.Call;
import dev.slipway.server.http.Paging;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Lists in pieces. */
final class Lists {
  private Lists() {}

  static Page.Ask ask(Call call) {
    Paging paging = Paging.of(call);
    return new Page.Ask(paging.limit(), Optional.ofNullable(paging.after()));
  }

  static Answer page(Page<?> page) {
    return Answer.ok(Paging.page(page.data(), page.next(), page.total()));
  }

  static <T> Answer page(Page<T> page, Function<T, ?> view) {
    return Answer.ok(
        Paging.page(page.data().stream().map(view).toList(), page.next(), page.total()));
  }

  /** A piece of a list that is short enough to be read as a whole. */
  static Answer piece(Call call, List<?> all) {
    Paging paging = Paging.of(call);
    long from = paging.afterNumber() == null ? 0 : paging.afterNumber();
    int start = Math.clamp(from, 0, all.size());
    int end = Math.min(all.size(), start + paging.limit());
    Optional<String> next =
        end < all.size() ? Optional.of(Integer.toString(end)) : Optional.empty();
    return Answer.ok(Paging.page(all.subList(start, end), next, all.size()));
  }
}
