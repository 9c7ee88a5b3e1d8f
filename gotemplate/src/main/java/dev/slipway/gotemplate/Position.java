package dev.slipway.gotemplate;

/**
 * A place in a template's text.
 *
 * @param template the name given to {@link Template#parse}
 * @param line from 1
 * @param column in characters, from 1
 */
public record Position(String template, int line, int column) {
  @Override
  public String toString() {
    return template + ":" + line + ":" + column;
  }
}
