package dev.slipway.kubernetes.lua;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Expressions of Lua and what they are as text, from a file with two lines for each. */
public final class Expressions {
  /** One of them. */
  public record Expression(String text, String value) {}

  private Expressions() {}

  public static List<Expression> all() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            Expressions.class.getResourceAsStream("/dev/slipway/kubernetes/lua/expressions.txt"))) {
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      List<Expression> all = new ArrayList<>();
      for (int i = 0; i < lines.size(); i += 2) {
        all.add(new Expression(lines.get(i), lines.get(i + 1).substring(2)));
      }
      return all;
    }
  }
}
