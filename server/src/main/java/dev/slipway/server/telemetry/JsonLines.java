package dev.slipway.server.telemetry;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.value.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.event.KeyValuePair;

/**
 * One JSON object a line: {@code time, level, msg}, then the ids that tell what the line is about,
 * taken from the logger's context and the line's own key-value pairs.
 */
public final class JsonLines extends EncoderBase<ILoggingEvent> {
  private static final String APPLICATION = "application";

  /** The key of earlier releases, which log queries may still use. */
  private static final String OLD_APPLICATION = "app";

  /** The ids, in the order in which they are written. */
  static final List<String> IDS =
      List.of(
          "resource_id",
          "resource_type",
          "provider",
          "workflow",
          "root",
          APPLICATION,
          OLD_APPLICATION,
          "environment",
          "team",
          "run_id",
          "step",
          "attempt",
          "epoch",
          "replica",
          "user",
          "error_code",
          "trace_id",
          "span_id");

  private static final int LONGEST_MESSAGE = 16_384;

  private final Supplier<String> replica;

  /** The name of this server is known only once it has opened its data directory. */
  public JsonLines(Supplier<String> replica) {
    this.replica = replica;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("time", Instant.ofEpochMilli(event.getTimeStamp()).toString());
    line.put("level", event.getLevel().toString().toLowerCase(Locale.ROOT));
    String message = event.getFormattedMessage();
    line.put(
        "msg",
        message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) : message);
    Map<String, Object> ids = ids(event);
    for (String id : IDS) {
      if (ids.containsKey(id)) {
        line.put(id, ids.get(id));
      }
    }
    line.put("logger", event.getLoggerName());
    if (event.getThrowableProxy() != null) {
      line.put("stack", ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    return (Json.write(line) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private Map<String, Object> ids(ILoggingEvent event) {
    Map<String, Object> ids = new LinkedHashMap<>(event.getMDCPropertyMap());
    ids.putIfAbsent("replica", replica.get());
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    if (pairs != null) {
      pairs.forEach(pair -> ids.put(pair.key, String.valueOf(pair.value)));
    }
    if (ids.get("root") instanceof String root) {
      NodeRef.parse(root)
          .filter(ref -> ref.prefix().equals(APPLICATION))
          .ifPresent(ref -> ids.put(APPLICATION, ref.name()));
    }
    if (ids.containsKey(APPLICATION)) {
      ids.put(OLD_APPLICATION, ids.get(APPLICATION));
    }
    return ids;
  }

  @Override
  public byte[] headerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] footerBytes() {
    return new byte[0];
  }
}
