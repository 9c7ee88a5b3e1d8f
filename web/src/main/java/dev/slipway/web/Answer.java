package dev.slipway.web;

import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** The response that a handler returns. */
public record Answer(int status, Map<String, String> headers, Body body) {

  /** The content of a response. */
  public sealed interface Body {
    /** No content. */
    record None() implements Body {}

    /** Values or records, written as JSON; secrets in them are masked by the writer. */
    record Value(Object value) implements Body {}

    /** Text of some other type. */
    record Text(String contentType, String text) implements Body {}

    /** Written piece by piece while the client reads. */
    record Stream(String contentType, Writer writer) implements Body {}
  }

  /** Writes a stream; returns at its end or when the client has disconnected. */
  @FunctionalInterface
  public interface Writer {
    void write(OutputStream out) throws IOException, InterruptedException;
  }

  public static Answer ok(Object value) {
    return of(200, value);
  }

  public static Answer of(int status, Object value) {
    return new Answer(status, Map.of(), new Body.Value(value));
  }

  public static Answer nothing() {
    return new Answer(204, Map.of(), new Body.None());
  }

  public static Answer text(String contentType, String text) {
    return new Answer(200, Map.of(), new Body.Text(contentType, text));
  }

  public static Answer stream(String contentType, Writer writer) {
    return new Answer(200, Map.of(), new Body.Stream(contentType, writer));
  }

  public Answer with(String header, String value) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put(header, value);
    return new Answer(status, all, body);
  }

  /** Adds a strong ETag with the object's version. */
  public Answer version(long version) {
    return with("ETag", "\"" + version + "\"");
  }
}
