package dev.slipway.cli.kinds;

import java.util.List;

/**
 * The states that end the waiting for an object.
 *
 * @param field of the object that holds its state
 * @param done the object has become what was asked for
 * @param failed the object does not leave these without help
 */
public record States(String field, List<String> done, List<String> failed) {
  public States {
    done = List.copyOf(done);
    failed = List.copyOf(failed);
  }
}
