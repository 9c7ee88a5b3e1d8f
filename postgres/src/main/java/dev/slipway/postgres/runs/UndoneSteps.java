package dev.slipway.postgres.runs;

/**
 * The steps of a failed run that a rollback run of it has undone. A run is not written any more
 * after its end, so what a later rollback undid follows from that rollback.
 */
public final class UndoneSteps {
  private static final String NAMES =
      """
      SELECT split_part(o.name, '/', 1)
        FROM runs b
       CROSS JOIN LATERAL json_array_elements_text(b.inputs #> '{undoing,order}') AS o (name)
        LEFT JOIN steps u ON u.run_id = b.id AND u.name = o.name
       WHERE b.parent_run_id = %s AND b.kind = 'rollback' AND b.finished_at IS NOT NULL
       GROUP BY b.id, split_part(o.name, '/', 1)
      HAVING bool_and(coalesce(u.state IN ('succeeded', 'skipped'), false))
      """;

  private UndoneSteps() {}

  /** A query for their names; {@code run} is the SQL for the failed run's id. */
  public static String of(String run) {
    return NAMES.formatted(run);
  }
}
