package dev.slipway.engine.value;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, which every Java has. */
public final class Sha256 {
  private Sha256() {}

  /** A digest without bytes. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Of these bytes. */
  public static byte[] of(byte[] bytes) {
    return digest().digest(bytes);
  }

  /** Of the text in UTF-8. */
  public static byte[] of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Of these bytes, in hexadecimal. */
  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(of(bytes));
  }

  /** Of the text in UTF-8, in hexadecimal. */
  public static String hex(String text) {
    return HexFormat.of().formatHex(of(text));
  }
}
