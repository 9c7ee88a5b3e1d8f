package dev.slipway.postgres.modules;

import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.SecretBox;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Sealed bytes, compressed first, because states are repetitive. */
record SealedBytes(SecretBox box) {
  byte[] seal(byte[] clear, EncryptionContext row) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(clear);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return box.seal(Base64.getEncoder().encodeToString(packed.toByteArray()), row)
        .ciphertext()
        .getBytes(StandardCharsets.US_ASCII);
  }

  byte[] open(byte[] sealed, EncryptionContext row) {
    Object text = box.open(new Sealed(new String(sealed, StandardCharsets.US_ASCII), row));
    byte[] packed = Base64.getDecoder().decode((String) text);
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return gzip.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("a stored state is damaged", e);
    }
  }
}
