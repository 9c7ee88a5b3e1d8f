package dev.slipway.web.kind;

import java.util.List;

/**
 * What clients that wait for an object look at.
 *
 * @param field of the object that holds its state
 * @param done states in which an object has become what was asked for
 * @param failed states that an object does not leave without help
 */
public record States(String field, List<String> done, List<String> failed) {
  public States {
    done = List.copyOf(done);
    failed = List.copyOf(failed);
  }
}
