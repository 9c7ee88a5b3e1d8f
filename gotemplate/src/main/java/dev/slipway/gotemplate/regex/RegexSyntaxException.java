package dev.slipway.gotemplate.regex;

/** A pattern that cannot be compiled; the message is the one that Go gives. */
public final class RegexSyntaxException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** What is wrong with the pattern. */
  public enum Reason {
    INVALID_CHARACTER_RANGE("invalid character class range"),
    INVALID_ESCAPE("invalid escape sequence"),
    INVALID_NAMED_CAPTURE("invalid named capture"),
    INVALID_PERL_SYNTAX("invalid or unsupported Perl syntax"),
    INVALID_NESTED_REPETITION("invalid nested repetition operator"),
    INVALID_REPEAT_COUNT("invalid repeat count"),
    INVALID_UTF8("invalid UTF-8"),
    MISSING_BRACKET("missing closing ]"),
    MISSING_PARENTHESIS("missing closing )"),
    MISSING_REPEAT_ARGUMENT("missing argument to repetition operator"),
    TRAILING_BACKSLASH("trailing backslash at end of expression"),
    UNEXPECTED_PARENTHESIS("unexpected )"),
    TOO_DEEP("expression nests too deeply"),
    TOO_LARGE("expression too large");

    private final String text;

    Reason(String text) {
      this.text = text;
    }
  }

  private final Reason reason;
  private final String part;

  RegexSyntaxException(Reason reason, String part) {
    super("error parsing regexp: " + reason.text + ": `" + part + "`");
    this.reason = reason;
    this.part = part;
  }

  public Reason reason() {
    return reason;
  }

  /** The part of the pattern that is wrong. */
  public String part() {
    return part;
  }
}
