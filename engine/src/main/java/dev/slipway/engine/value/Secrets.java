package dev.slipway.engine.value;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The secret texts known in one place (a run, a request). Masks them wherever they occur, also
 * encoded for JSON, URLs or in base64, and checks whether a text embeds one: a text that embeds a
 * secret is secret.
 */
public final class Secrets {
  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "(^|[^a-z])(password|passwd|secret|token|api_?key|private_?key|credentials?"
              + "|connection_?string)s?($|[^a-z])");

  /** Shorter texts would mask half of every log. */
  private static final int SHORTEST = 4;

  /** Shorter pieces of an encoded text could be anything. */
  private static final int SHORTEST_PART = 8;

  private final List<String> texts;

  private Secrets(Collection<String> texts) {
    this.texts =
        texts.stream()
            .sorted(Comparator.comparingInt(String::length).reversed().thenComparing(t -> t))
            .toList();
  }

  /** Nothing is secret. */
  public static Secrets none() {
    return new Secrets(List.of());
  }

  /** These texts, also as they look in JSON, in URLs and in base64. */
  public static Secrets of(Collection<String> secrets) {
    Set<String> all = new TreeSet<>();
    for (String secret : secrets) {
      if (secret.length() < SHORTEST) {
        continue;
      }
      all.add(secret);
      String json = Json.write(secret);
      all.add(json.substring(1, json.length() - 1));
      String url = URLEncoder.encode(secret, StandardCharsets.UTF_8);
      all.add(url);
      all.add(url.replace("+", "%20"));
      base64(secret, all);
    }
    return new Secrets(all);
  }

  /** Alone, and as what is left of it in the middle of something longer, wherever it begins. */
  private static void base64(String secret, Set<String> all) {
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
      all.add(encoder.encodeToString(bytes));
      all.add(encoder.withoutPadding().encodeToString(bytes));
      for (int before = 0; before < 3; before++) {
        byte[] shifted = new byte[before + bytes.length];
        System.arraycopy(bytes, 0, shifted, before, bytes.length);
        String text = encoder.withoutPadding().encodeToString(shifted);
        int end = shifted.length % 3 == 0 ? text.length() : text.length() - 1;
        int from = (before * 8 + 5) / 6;
        if (end - from >= SHORTEST_PART) {
          all.add(text.substring(from, end));
        }
      }
    }
  }

  /** These and those. */
  public Secrets plus(Collection<String> more) {
    Set<String> all = new TreeSet<>(texts);
    all.addAll(of(more).texts);
    return new Secrets(all);
  }

  /** The text with every secret replaced by {@link Sealed#MASK}. */
  public String mask(String text) {
    String out = text;
    for (String secret : texts) {
      if (out.contains(secret)) {
        out = out.replace(secret, Sealed.MASK);
      }
    }
    return out;
  }

  /** Whether the text contains a secret. */
  public boolean embeds(String text) {
    return texts.stream().anyMatch(text::contains);
  }

  /** Whether a key of this name holds a secret by convention: password, token, private_key, ... */
  public static boolean nameSaysSecret(String key) {
    String words =
        key.replaceAll("([a-z0-9])([A-Z])", "$1_$2").replace('-', '_').toLowerCase(Locale.ROOT);
    return SECRET_NAME.matcher(words).find();
  }
}
