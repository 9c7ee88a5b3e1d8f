package dev.slipway.gotemplate.regex;

/** A pattern that cannot be compiled; the message is the one that Go gives. */
public final class RegexSyntaxException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  RegexSyntaxException(String reason, String part) {
    super("error parsing regexp: " + reason + ": `" + part + "`");
  }
}
