package dev.slipway.cli.kinds;

import dev.slipway.engine.value.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Rows that a real server answered. */
public final class RecordedTable {
  private RecordedTable() {}

  public static String text() {
    try (InputStream in =
        Objects.requireNonNull(
            RecordedTable.class.getResourceAsStream("/dev/slipway/cli/kinds.json"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static KindTable parsed() {
    return KindTable.parse(Json.readMap(text()));
  }
}
