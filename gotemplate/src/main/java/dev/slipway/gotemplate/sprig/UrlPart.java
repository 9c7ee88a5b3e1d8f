package dev.slipway.gotemplate.sprig;

/** A part of a URL with the characters that stay as they are in it. */
enum UrlPart {
  PATH("$&+,/:;=@"),
  FRAGMENT("$&+,/:;=?@!()*"),
  USER("$&+,;="),
  HOST("!$&'()*+,;=:[]<>\"");

  /** In every part, beside letters and digits. */
  private static final String UNRESERVED = "-_.~";

  private final String allowed;

  UrlPart(String allowed) {
    this.allowed = allowed;
  }

  boolean keeps(int c) {
    return c < 128
        && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0 || allowed.indexOf(c) >= 0);
  }
}
