package dev.slipway.kubernetes.controlplane;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/** A small certificate authority of the control plane's own: elliptic-curve keys, ten years. */
final class Authority {
  private static final Duration LIFETIME = Duration.ofDays(3650);
  private static final byte[] ALGORITHM = Der.sequence(Der.identifier("1.2.840.10045.4.3.2"));
  private static final byte[] SIGNS_CERTIFICATES = {0x06};
  private static final byte[] SIGNS = {(byte) 0x80};
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String name;
  private final KeyPair keys = freshKeys();
  private final Signed own;

  Authority(String name) {
    this.name = name;
    this.own = new Signed(certificate(name, keys, caExtensions()), privateKey(keys));
  }

  /** A certificate and its key, as PEM texts. */
  record Signed(String certificate, String key) {}

  Signed own() {
    return own;
  }

  /** A certificate for servers of those names and addresses, and for clients of that name. */
  Signed issue(String subject, List<String> hosts) {
    KeyPair pair = freshKeys();
    return new Signed(certificate(subject, pair, leafExtensions(hosts)), privateKey(pair));
  }

  static KeyPair freshKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static String privateKey(KeyPair keys) {
    return pem("PRIVATE KEY", keys.getPrivate().getEncoded());
  }

  static String publicKey(KeyPair keys) {
    return pem("PUBLIC KEY", keys.getPublic().getEncoded());
  }

  private static String pem(String type, byte[] content) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n";
  }

  private String certificate(String subject, KeyPair pair, byte[] extensions) {
    Instant now = Instant.now();
    byte[] content =
        Der.sequence(
            Der.tagged(0xA0, Der.integer(BigInteger.TWO)),
            Der.integer(new BigInteger(120, RANDOM).setBit(120)),
            ALGORITHM,
            name(name),
            Der.sequence(Der.time(now.minus(Duration.ofHours(1))), Der.time(now.plus(LIFETIME))),
            name(subject),
            pair.getPublic().getEncoded(),
            Der.tagged(0xA3, extensions));
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(keys.getPrivate());
      signature.update(content);
      return pem("CERTIFICATE", Der.sequence(content, ALGORITHM, Der.bits(0, signature.sign())));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] name(String common) {
    return Der.sequence(Der.set(Der.sequence(Der.identifier("2.5.4.3"), Der.text(common))));
  }

  private static byte[] caExtensions() {
    return Der.sequence(
        critical("2.5.29.19", Der.sequence(Der.truth())),
        critical("2.5.29.15", Der.bits(1, SIGNS_CERTIFICATES)));
  }

  private static byte[] leafExtensions(List<String> hosts) {
    byte[] purposes =
        Der.sequence(Der.identifier("1.3.6.1.5.5.7.3.1"), Der.identifier("1.3.6.1.5.5.7.3.2"));
    byte[][] names = hosts.stream().map(Authority::host).toArray(byte[][]::new);
    byte[] usage = critical("2.5.29.15", Der.bits(7, SIGNS));
    byte[] extended = extension("2.5.29.37", purposes);
    return names.length == 0
        ? Der.sequence(usage, extended)
        : Der.sequence(usage, extended, extension("2.5.29.17", Der.sequence(names)));
  }

  private static byte[] critical(String identifier, byte[] value) {
    return Der.sequence(Der.identifier(identifier), Der.truth(), Der.octets(value));
  }

  private static byte[] extension(String identifier, byte[] value) {
    return Der.sequence(Der.identifier(identifier), Der.octets(value));
  }

  private static byte[] host(String host) {
    if (!host.matches("[0-9.]+")) {
      return Der.tagged(0x82, host.getBytes(StandardCharsets.US_ASCII));
    }
    try {
      return Der.tagged(0x87, InetAddress.getByName(host).getAddress());
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
