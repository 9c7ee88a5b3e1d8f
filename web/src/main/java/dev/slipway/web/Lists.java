package dev.slipway.web;

import dev.slipway.postgres.Page;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Answers lists page by page. */
public final class Lists {
  private Lists() {}

  public static Page.Ask ask(Call call) {
    Paging paging = Paging.of(call);
    return new Page.Ask(paging.limit(), Optional.ofNullable(paging.after()));
  }

  public static Answer page(Page<?> page) {
    return Answer.ok(Paging.page(page.data(), page.next(), page.total()));
  }

  public static <T> Answer page(Page<T> page, Function<T, ?> view) {
    return Answer.ok(Paging.page(page, view));
  }

  /** A page of a list that fits in memory. */
  public static Answer piece(Call call, List<?> all) {
    Paging paging = Paging.of(call);
    long from = paging.afterNumber() == null ? 0 : paging.afterNumber();
    int start = Math.clamp(from, 0, all.size());
    int end = Math.min(all.size(), start + paging.limit());
    Optional<String> next =
        end < all.size() ? Optional.of(Integer.toString(end)) : Optional.empty();
    return Answer.ok(Paging.page(all.subList(start, end), next, all.size()));
  }
}
