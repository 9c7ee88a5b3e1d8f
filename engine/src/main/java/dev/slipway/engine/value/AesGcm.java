package dev.slipway.engine.value;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/** AES-256-GCM with a nonce that is derived from key, context and value. */
final class AesGcm {
  static final int NONCE_BYTES = 12;

  private static final int TAG_BITS = 128;

  private AesGcm() {}

  static byte[] nonce(KeyRing.Key key, EncryptionContext context, byte[] clear) {
    String text = "nonce:" + context.text().length() + ":" + context.text();
    byte[] mac = KeyRing.hmac(key.bytes(), text + new String(clear, StandardCharsets.UTF_8));
    return Arrays.copyOf(mac, NONCE_BYTES);
  }

  static byte[] encrypt(KeyRing.Key key, byte[] nonce, EncryptionContext context, byte[] clear) {
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key, nonce, context).doFinal(clear);
      return ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot seal a secret", e);
    }
  }

  static @Nullable Object decrypt(KeyRing.Key key, EncryptionContext context, byte[] all)
      throws GeneralSecurityException {
    byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
    int length = Math.max(0, all.length - NONCE_BYTES);
    byte[] clear =
        cipher(Cipher.DECRYPT_MODE, key, nonce, context).doFinal(all, all.length - length, length);
    return Json.read(new String(clear, StandardCharsets.UTF_8));
  }

  private static Cipher cipher(int mode, KeyRing.Key key, byte[] nonce, EncryptionContext context)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key.aes(), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(context.text().getBytes(StandardCharsets.UTF_8));
    return cipher;
  }
}
