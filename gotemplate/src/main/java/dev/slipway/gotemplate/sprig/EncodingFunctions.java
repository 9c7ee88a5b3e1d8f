package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.Text;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.Adler32;

/** Base 64, base 32 and sums. */
final class EncodingFunctions {
  private EncodingFunctions() {}

  static List<Function> all() {
    return new FunctionGroup("Encoding")
        .add(
            "b64enc",
            "(s string) string",
            "in base 64",
            c -> Base64.getEncoder().encodeToString(bytes(c, 2)))
        .add(
            "b64dec",
            "(s string) string",
            "from base 64; the error as text when it is not",
            c -> Base64Text.decode(bytes(c, 1)))
        .add("b32enc", "(s string) string", "in base 32", c -> Base32Text.encode(bytes(c, 2)))
        .add(
            "b32dec",
            "(s string) string",
            "from base 32; the error as text when it is not",
            c -> Base32Text.decode(bytes(c, 1)))
        .add(
            "sha1sum",
            "(s string) string",
            "the SHA-1 sum in hexadecimal",
            c -> sum("SHA-1", bytes(c, 1)))
        .add(
            "sha256sum",
            "(s string) string",
            "the SHA-256 sum in hexadecimal",
            c -> sum("SHA-256", bytes(c, 1)))
        .add(
            "sha512sum",
            "(s string) string",
            "the SHA-512 sum in hexadecimal",
            c -> sum("SHA-512", bytes(c, 1)))
        .add(
            "adler32sum",
            "(s string) string",
            "the Adler-32 sum in decimal",
            EncodingFunctions::adler)
        .all();
  }

  private static byte[] bytes(Call call, int growth) {
    call.room((long) growth * call.string(0).length());
    return Text.bytes(call.string(0));
  }

  private static String sum(String algorithm, byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has " + algorithm, e);
    }
  }

  private static String adler(Call call) {
    Adler32 sum = new Adler32();
    sum.update(bytes(call, 1));
    return Long.toString(sum.getValue());
  }
}
