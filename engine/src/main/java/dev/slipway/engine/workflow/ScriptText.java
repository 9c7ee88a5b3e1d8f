package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.ShellDocuments.Verbatim;
import java.util.List;

/**
 * The text of a script with references in place of values. A here-document with a quoted delimiter
 * and a value in it becomes one without quotes, in which whatever the author wrote is escaped.
 */
final class ScriptText {
  private final ShellText source;
  private final List<Verbatim> documents;
  private final String delimiter;
  private final StringBuilder out = new StringBuilder();

  ScriptText(ShellText source, List<Verbatim> documents) {
    this.source = source;
    this.documents = documents.stream().filter(this::hasValue).toList();
    this.delimiter = unused();
  }

  private boolean hasValue(Verbatim document) {
    for (int i = document.start(); i < document.end(); i++) {
      if (source.codes()[i] < 0) {
        return true;
      }
    }
    return false;
  }

  /** A word that does not occur in the script. */
  private String unused() {
    StringBuilder authored = new StringBuilder();
    for (int code : source.codes()) {
      authored.append(code < 0 ? ' ' : (char) code);
    }
    String word = "SLIPWAY_END";
    while (authored.indexOf(word) >= 0) {
      word += "_";
    }
    return word;
  }

  void reference(String text) {
    out.append(text);
  }

  /** Writes what stands at this place, unless it is a value, and says where to go on. */
  int next(int at) {
    int code = source.codes()[at];
    boolean body = false;
    for (Verbatim document : documents) {
      if (at == document.wordStart()) {
        out.append(delimiter);
        return document.wordEnd();
      }
      if (at == document.end()) {
        out.append(delimiter);
        return document.lineEnd();
      }
      body |= at >= document.start() && at < document.end();
    }
    if (code >= 0) {
      boolean special = body && (code == '\\' || code == '$' || code == '`');
      out.append(special ? "\\" : "").append((char) code);
    }
    return at + 1;
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
