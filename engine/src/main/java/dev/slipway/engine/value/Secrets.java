package dev.slipway.engine.value;

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
 * The secret texts known in one place (a run, a request). Masks them wherever they turn up, also
 * base64-encoded, and tells whether a text embeds one: whatever embeds a secret is secret.
 */
public final class Secrets {
  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "(^|[^a-z])(password|passwd|secret|token|api_?key|private_?key|credentials?"
              + "|connection_?string)s?($|[^a-z])");

  /** Shorter texts would mask half of every log. */
  private static final int SHORTEST = 4;

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

  /** These texts and their base64 forms. */
  public static Secrets of(Collection<String> secrets) {
    Set<String> all = new TreeSet<>();
    for (String secret : secrets) {
      if (secret.length() < SHORTEST) {
        continue;
      }
      all.add(secret);
      byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
      all.add(Base64.getEncoder().encodeToString(bytes));
      all.add(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }
    return new Secrets(all);
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
