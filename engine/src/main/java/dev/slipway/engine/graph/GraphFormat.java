package dev.slipway.engine.graph;

import java.util.Locale;
import java.util.Optional;

/** How a graph can be written down. */
public enum GraphFormat {
  MERMAID("text/vnd.mermaid"),
  DOT("text/vnd.graphviz"),
  JSON("application/json"),
  SVG("image/svg+xml");

  private final String mediaType;

  GraphFormat(String mediaType) {
    this.mediaType = mediaType;
  }

  /** What HTTP calls it. */
  public String mediaType() {
    return mediaType;
  }

  /** The format of that name. */
  public static Optional<GraphFormat> parse(String name) {
    for (GraphFormat format : values()) {
      if (format.name().toLowerCase(Locale.ROOT).equals(name)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }
}
