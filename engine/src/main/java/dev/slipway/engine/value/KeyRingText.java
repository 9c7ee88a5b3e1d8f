package dev.slipway.engine.value;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The text form of a key ring, one line a key: {@code seal KEY}, {@code next KEY}, {@code open
 * KEY}, {@code fingerprint KEY}, each key 32 bytes in base64. A text with nothing but one key is
 * the form of the first releases: that key does everything, and ciphertexts name neither key nor
 * row until it is rotated.
 */
final class KeyRingText {
  private static final List<String> USES = List.of("seal", "next", "open", "fingerprint");

  private KeyRingText() {}

  /** Reads the text form; an {@link IllegalArgumentException} says what is wrong, not the keys. */
  static KeyRing parse(String text) {
    List<String> lines =
        text.lines().map(String::strip).filter(l -> !l.isEmpty() && !l.startsWith("#")).toList();
    if (lines.size() == 1 && !lines.getFirst().contains(" ")) {
      byte[] key = decode(lines.getFirst());
      return new KeyRing(KeyRing.Key.of(key), Optional.empty(), List.of(), key, KeyRing.Form.PLAIN);
    }
    Map<String, List<byte[]>> keys = new LinkedHashMap<>();
    for (String line : lines) {
      String[] words = line.split("\\s+", -1);
      if (words.length != 2 || !USES.contains(words[0])) {
        throw new IllegalArgumentException(
            "a line does not have the form `seal KEY`, `next KEY`, `open KEY` or `fingerprint KEY`");
      }
      keys.computeIfAbsent(words[0], k -> new ArrayList<>()).add(decode(words[1]));
    }
    return new KeyRing(
        KeyRing.Key.of(only(keys, "seal")),
        keys.containsKey("next")
            ? Optional.of(KeyRing.Key.of(only(keys, "next")))
            : Optional.empty(),
        keys.getOrDefault("open", List.of()).stream().map(KeyRing.Key::of).toList(),
        only(keys, "fingerprint"),
        KeyRing.Form.BOUND);
  }

  private static byte[] only(Map<String, List<byte[]>> keys, String use) {
    List<byte[]> found = keys.getOrDefault(use, List.of());
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          "there are " + found.size() + " lines `" + use + " KEY`, not one");
    }
    return found.getFirst();
  }

  private static byte[] decode(String text) {
    byte[] key;
    try {
      key = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("a key is not base64", e);
    }
    return KeyRing.Key.of(key).bytes();
  }

  static String of(KeyRing ring) {
    Base64.Encoder base64 = Base64.getEncoder();
    if (ring.form() == KeyRing.Form.PLAIN) {
      return base64.encodeToString(ring.current().bytes()) + "\n";
    }
    StringBuilder text =
        new StringBuilder(
            "# The keys of a Slipway database. Keep copies apart from its backups.\n");
    text.append("seal ").append(base64.encodeToString(ring.current().bytes())).append('\n');
    ring.nextKey()
        .ifPresent(k -> text.append("next ").append(base64.encodeToString(k.bytes())).append('\n'));
    ring.openingKeys()
        .forEach(k -> text.append("open ").append(base64.encodeToString(k.bytes())).append('\n'));
    text.append("fingerprint ").append(base64.encodeToString(ring.fingerprintKey())).append('\n');
    return text.toString();
  }
}
