package dev.slipway.postgres;

/**
 * The number of rows in a list, counted up to a limit: no client pages further, and counting a long
 * list takes longer than reading a page of it.
 */
public final class Total {
  /** A count of one more than this means "more than this". */
  public static final int MOST = 10_000;

  private Total() {}

  /** A query for the number of rows of that FROM and WHERE. */
  public static String of(String rows) {
    return "SELECT count(*) FROM (SELECT 1 " + rows + " LIMIT " + (MOST + 1) + ") AS counted";
  }
}
