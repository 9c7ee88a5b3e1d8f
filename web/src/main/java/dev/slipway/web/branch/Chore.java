package dev.slipway.web.branch;

import java.time.Duration;

/**
 * Upkeep of a branch's own tables, which housekeeping does in small pieces with pauses between
 * them.
 *
 * @param what the log says when a piece fails: {@code resources could not be counted}
 * @param every how long after its end it begins again; it also begins once after the start
 */
public record Chore(String what, Duration every, Pass pass) {

  /** One pass over all rows; each pass starts from the beginning. */
  public interface Pass {
    Piece begin();
  }

  /** Does the next piece in a transaction of its own; false when there was nothing left. */
  public interface Piece {
    boolean next();
  }
}
