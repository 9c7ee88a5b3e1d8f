package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import java.util.Base64;
import java.util.List;
import java.util.random.RandomGenerator;

/** What differs on every call, from a source of randomness that the caller passes in. */
final class RandomFunctions {
  private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final String DIGITS = "0123456789";

  private final RandomGenerator random;

  RandomFunctions(RandomGenerator random) {
    this.random = random;
  }

  List<Function> all() {
    return new Definitions("Random")
        .add("randAlpha", "(count int) string", "random letters", c -> characters(c, LETTERS))
        .add("randNumeric", "(count int) string", "random digits", c -> characters(c, DIGITS))
        .add(
            "randAlphaNum",
            "(count int) string",
            "random letters and digits",
            c -> characters(c, LETTERS + DIGITS))
        .add(
            "randAscii",
            "(count int) string",
            "random printable ASCII characters",
            c -> characters(c, printable()))
        .add("randBytes", "(count int) string", "random bytes in base 64", this::bytes)
        .add(
            "randInt",
            "(min int, max int) int",
            "a random number from min up to max",
            this::integer)
        .add("shuffle", "(s string) string", "the characters in random order", this::shuffled)
        .add("uuidv4", "() string", "a random UUID", c -> uuid())
        .all();
  }

  private static String printable() {
    StringBuilder all = new StringBuilder();
    for (char c = ' '; c <= '~'; c++) {
      all.append(c);
    }
    return all.toString();
  }

  private int count(Call call) {
    call.room(2 * Math.max(0, Math.min(call.integer(0), Long.MAX_VALUE / 4)));
    return (int) Math.max(0, call.integer(0));
  }

  private String characters(Call call, String alphabet) {
    int count = count(call);
    StringBuilder out = new StringBuilder(count);
    for (int i = 0; i < count; i++) {
      out.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return out.toString();
  }

  private String bytes(Call call) {
    byte[] bytes = new byte[count(call)];
    random.nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private long integer(Call call) {
    if (call.integer(1) <= call.integer(0)) {
      throw call.fail("invalid argument to Intn: max must be above min");
    }
    return random.nextLong(call.integer(0), call.integer(1));
  }

  private String shuffled(Call call) {
    call.room(call.string(0).length());
    int[] runes = call.string(0).codePoints().toArray();
    for (int i = runes.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int kept = runes[i];
      runes[i] = runes[other];
      runes[other] = kept;
    }
    return new String(runes, 0, runes.length);
  }

  private String uuid() {
    long high = random.nextLong() & 0xffffffffffff0fffL | 0x4000L;
    long low = random.nextLong() & 0x3fffffffffffffffL | 0x8000000000000000L;
    return new java.util.UUID(high, low).toString();
  }
}
