package dev.slipway.git;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jgit.lib.PersonIdent;

/** The author of a commit or tag, and the key that identifies the work after a crash. */
public record Signature(String name, String mail, Instant when, WorkKey key) {
  private static final Pattern WRITTEN = Pattern.compile("\\s*([^<>\\n]+?)\\s*<([^<>\\s]+)>\\s*");

  /**
   * The key of one piece of work.
   *
   * @param text names this attempt
   * @param work the common prefix of the keys of all attempts at the same work
   */
  public record WorkKey(String text, String work) {
    /** The trailer that carries it. */
    public static final String TRAILER = "Slipway-Key";

    String trailer() {
      return TRAILER + ": " + text;
    }

    /** Whether a message ends with the key of any attempt at this work. */
    boolean in(String message) {
      return message.lines().anyMatch(line -> line.startsWith(TRAILER + ": " + work));
    }
  }

  /** Parses an author written as {@code Name <mail>}. */
  public static Signature of(String author, Instant when, WorkKey key) {
    Matcher matcher = WRITTEN.matcher(author);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + author + "' is no author; write Name <mail>");
    }
    return new Signature(matcher.group(1), matcher.group(2), when, key);
  }

  PersonIdent person() {
    return new PersonIdent(name, mail, when, ZoneOffset.UTC);
  }

  /**
   * The message with the key in its last paragraph; no other text of the message is read as a key.
   */
  String signed(String message) {
    String text =
        message
            .replace("\0", "")
            .replaceAll("(?m)^" + WorkKey.TRAILER + ":", " " + WorkKey.TRAILER + ":")
            .strip();
    String last = text.substring(text.lastIndexOf('\n') + 1);
    boolean trailers = text.contains("\n\n") && last.matches("[A-Za-z0-9-]+: .*");
    return text + (trailers ? "\n" : "\n\n") + key.trailer() + "\n";
  }
}
