package dev.slipway.applications.score;

import java.util.Map;

/**
 * What comes with a Score document from outside.
 *
 * @param images image references by container, for containers whose image is {@code .}
 * @param sources whether files may still be named by a local path
 */
public record Submission(Map<String, String> images, Sources sources) {
  /** A document as it lies on a developer's disk: nothing supplied, local files welcome. */
  public static final Submission OFFLINE = new Submission(Map.of(), Sources.LOCAL);

  public Submission {
    images = Map.copyOf(images);
  }

  /** A document as it arrives at the server. */
  public static Submission uploaded(Map<String, String> images) {
    return new Submission(images, Sources.EMBEDDED);
  }

  /** What {@code files.*.source} may be. */
  public enum Sources {
    /** Read on the client's disk; offline, {@code image: .} is accepted too. */
    LOCAL,
    /** Embedded already; a source left over is an error. */
    EMBEDDED
  }
}
