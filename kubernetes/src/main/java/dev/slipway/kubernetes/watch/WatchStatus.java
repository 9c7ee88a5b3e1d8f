package dev.slipway.kubernetes.watch;

import java.time.Instant;

/**
 * What a watch is doing, and since when.
 *
 * @param heard when the server was last heard
 * @param why it does not watch
 */
record WatchStatus(State state, Instant heard, String why) {
  /** Whether it watches. */
  enum State {
    BEGINS,
    WATCHES,
    /** Nothing came for too long; the connection is tried. */
    SILENT,
    /** It begins again after a pause. */
    LOST,
    /** The cluster does not allow it, or does not have the kind. */
    REFUSED
  }
}
