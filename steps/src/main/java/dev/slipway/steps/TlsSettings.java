package dev.slipway.steps;

import dev.slipway.engine.intake.Nearest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The {@code tls} of an http step: certificate authorities that replace the default ones, and a
 * client certificate. All of it is PEM text, so that it can come from a granted secret.
 * Verification cannot be turned off.
 */
final class TlsSettings {
  private static final List<String> FIELDS = List.of("ca", "certificate", "key");
  private static final List<String> KEY_KINDS = List.of("EC", "RSA", "EdDSA");
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  private TlsSettings() {}

  /**
   * The TLS context for a server of that name; without a name its address is verified.
   *
   * @throws IllegalArgumentException saying what is wrong, without any of the PEM text
   */
  static SSLContext context(Map<String, Object> tls, Optional<String> name) {
    tls.keySet().stream()
        .filter(field -> !FIELDS.contains(field))
        .findFirst()
        .ifPresent(TlsSettings::unknown);
    String certificate = text(tls, "certificate");
    String key = text(tls, "key");
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException("tls needs both 'certificate' and 'key', or none of them");
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          certificate == null ? null : identity(certificate, key),
          trust(text(tls, "ca"), name),
          null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException("tls cannot be used: " + e.getMessage(), e);
    }
  }

  private static void unknown(String field) {
    String hint = Nearest.hint(field, FIELDS);
    throw new IllegalArgumentException(
        "tls has no field '" + field + "'." + (hint == null ? "" : " " + hint));
  }

  private static @Nullable String text(Map<String, Object> tls, String field) {
    return Optional.ofNullable(tls.get(field)).map(String::valueOf).orElse(null);
  }

  private static TrustManager[] trust(@Nullable String ca, Optional<String> name)
      throws GeneralSecurityException, IOException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(ca == null ? null : authorities(ca));
    return Arrays.stream(factory.getTrustManagers())
        .map(each -> name.<TrustManager>map(host -> named(each, host)).orElse(each))
        .toArray(TrustManager[]::new);
  }

  private static KeyStore authorities(String ca) throws GeneralSecurityException, IOException {
    KeyStore store = empty();
    int count = 0;
    for (Certificate each : certificates("ca", ca)) {
      store.setCertificateEntry("ca" + count++, each);
    }
    return store;
  }

  private static ServerName named(TrustManager usual, String host) {
    return new ServerName((X509ExtendedTrustManager) usual, host);
  }

  private static KeyManager[] identity(String certificate, String key)
      throws GeneralSecurityException, IOException {
    KeyStore store = empty();
    store.setKeyEntry(
        "client",
        privateKey(key),
        new char[0],
        certificates("certificate", certificate).toArray(Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    return store;
  }

  private static Collection<? extends Certificate> certificates(String field, String pem)
      throws GeneralSecurityException {
    try {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
      if (!found.isEmpty()) {
        return found;
      }
    } catch (CertificateException e) {
      // reported below
    }
    throw new IllegalArgumentException("tls." + field + " holds no certificate in PEM form");
  }

  private static PrivateKey privateKey(String pem) throws GeneralSecurityException {
    Matcher matcher = KEY.matcher(pem);
    if (!matcher.find()) {
      throw new IllegalArgumentException(
          "tls.key holds no unencrypted key that begins with BEGIN PRIVATE KEY (PKCS #8)");
    }
    byte[] encoded = Base64.getMimeDecoder().decode(matcher.group(1));
    for (String kind : KEY_KINDS) {
      try {
        return KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      } catch (GeneralSecurityException e) {
        // not a key of this algorithm
      }
    }
    throw new IllegalArgumentException("tls.key is of none of the kinds " + KEY_KINDS);
  }
}
