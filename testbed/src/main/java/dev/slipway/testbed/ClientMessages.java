package dev.slipway.testbed;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Parses the messages of a client to PostgreSQL (protocol version 3) and finds the batches that end
 * a writing transaction: an explicit COMMIT, or a writing statement outside of a transaction.
 */
final class ClientMessages {
  static final int READY = 'Z';
  private static final int COMPLETE = 'C';
  private static final int PARSE = 'P';
  private static final int BIND = 'B';
  private static final int EXECUTE = 'E';
  private static final int QUERY = 'Q';
  private static final int SYNC = 'S';
  private static final int FLUSH = 'H';
  private static final int COPY_DATA = 'd';
  private static final int COPY_DONE = 'c';
  private static final int PASSWORD = 'p';
  private static final int TERMINATE = 'X';

  private static final int SSL_REQUEST = 80_877_103;
  private static final int GSS_REQUEST = 80_877_104;

  private static final Pattern WRITES =
      Pattern.compile(
          "\\b(INSERT\\s+INTO|UPDATE\\s+\\w+\\s+(\\w+\\s+)?SET|DELETE\\s+FROM|TRUNCATE)\\b",
          Pattern.CASE_INSENSITIVE);

  private final Map<String, String> prepared = new HashMap<>();
  private final Map<String, String> portals = new HashMap<>();
  private final List<String> written = new ArrayList<>();
  private boolean inTransaction;
  private boolean commits;
  private boolean writesAtLast;
  private int writesBefore;
  private boolean begun;

  /** Whether the client waits for an answer after a message of that type. */
  static boolean endsTurn(int type) {
    return switch (type) {
      case SYNC, QUERY, FLUSH, COPY_DATA, COPY_DONE, PASSWORD, TERMINATE -> true;
      default -> false;
    };
  }

  /** Whether the message makes the server execute a parsed statement. */
  static boolean executes(int type) {
    return type == EXECUTE;
  }

  static boolean asksForEncryption(byte[] startup) {
    int code = ByteBuffer.wrap(startup).getInt();
    return startup.length == Integer.BYTES && (code == SSL_REQUEST || code == GSS_REQUEST);
  }

  static void write(OutputStream out, int type, byte[] body) throws IOException {
    out.write(type);
    writeUntyped(out, body);
  }

  static void writeUntyped(OutputStream out, byte[] body) throws IOException {
    DataOutputStream data = new DataOutputStream(out);
    data.writeInt(body.length + Integer.BYTES);
    data.write(body);
  }

  /** Parses one message of the client. */
  void read(int type, byte[] body) {
    ByteBuffer buffer = ByteBuffer.wrap(body);
    switch (type) {
      case PARSE -> prepared.put(text(buffer), text(buffer));
      case BIND -> portals.put(text(buffer), prepared.getOrDefault(text(buffer), ""));
      case EXECUTE -> executes(portals.getOrDefault(text(buffer), ""));
      case QUERY -> List.of(text(buffer).split(";")).forEach(this::executes);
      default -> {}
    }
  }

  /** Whether the batch so far has a commit. */
  boolean commits() {
    return commits;
  }

  /** The statements that the batch commits, if it commits a write. */
  Optional<List<String>> commit() {
    boolean now = commits || !inTransaction && !written.isEmpty();
    if (!now) {
      writesBefore = written.size();
      return Optional.empty();
    }
    writesAtLast = written.size() > writesBefore;
    commits = false;
    List<String> statements = List.copyOf(written);
    written.clear();
    writesBefore = 0;
    return statements.isEmpty() ? Optional.empty() : Optional.of(statements);
  }

  /** Whether the batch last returned by {@link #commit} also contains a write. */
  boolean writesAtLast() {
    return writesAtLast;
  }

  /** Whether a transaction has begun since the last call. */
  boolean begins() {
    boolean now = begun;
    begun = false;
    return now;
  }

  /** The number of rows in a message of the server. */
  static int rows(int type, byte[] body) {
    if (type != COMPLETE) {
      return 0;
    }
    String tag = text(ByteBuffer.wrap(body));
    String last = tag.substring(tag.lastIndexOf(' ') + 1);
    return last.chars().allMatch(Character::isDigit) ? Integer.parseInt(last) : 0;
  }

  private void executes(String sql) {
    String statement = sql.strip();
    switch (statement.split("\\s+", 2)[0].toUpperCase(Locale.ROOT)) {
      case "BEGIN", "START" -> {
        inTransaction = true;
        begun = true;
      }
      case "COMMIT", "END" -> {
        inTransaction = false;
        commits = true;
      }
      case "ROLLBACK", "ABORT" -> {
        inTransaction = false;
        written.clear();
        writesBefore = 0;
      }
      default -> {
        if (WRITES.matcher(statement).find()) {
          written.add(statement.replaceAll("\\s+", " "));
        }
      }
    }
  }

  private static String text(ByteBuffer buffer) {
    int start = buffer.position();
    while (buffer.get() != 0) {
      // to the end of the string
    }
    return new String(buffer.array(), start, buffer.position() - 1 - start, StandardCharsets.UTF_8);
  }
}
