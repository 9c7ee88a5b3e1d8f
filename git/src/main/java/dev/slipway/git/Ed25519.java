package dev.slipway.git;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.KeySpec;
import java.security.spec.NamedParameterSpec;
import org.apache.sshd.common.config.keys.PrivateKeyEntryDecoder;
import org.apache.sshd.common.config.keys.PublicKeyEntryDecoder;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.apache.sshd.common.util.security.eddsa.generic.EdDSASupport;
import org.apache.sshd.common.util.security.eddsa.generic.EdDSAUtils;
import org.apache.sshd.common.util.security.eddsa.generic.GenericEd25519PublicKeyDecoder;
import org.apache.sshd.common.util.security.eddsa.generic.GenericOpenSSHEd25519PrivateKeyEntryDecoder;
import org.apache.sshd.common.util.security.eddsa.generic.GenericSignatureEd25519;

/**
 * Ed25519 keys for ssh by the JDK's own cryptography. The ssh library supports them only with one
 * of two other libraries, although the JDK has the algorithm.
 */
final class Ed25519 implements EdDSASupport<EdECPublicKey, EdECPrivateKey> {
  static final String ALGORITHM = "Ed25519";
  private static final int SEED = 32;

  static {
    SecurityUtils.registerSecurityProvider(new Ed25519Registrar());
  }

  /** Registers the support in this process. */
  static void ensure() {
    // loading the class has registered it
  }

  @Override
  public PublicKeyEntryDecoder<EdECPublicKey, EdECPrivateKey> getEDDSAPublicKeyEntryDecoder() {
    return new GenericEd25519PublicKeyDecoder<>(EdECPublicKey.class, EdECPrivateKey.class, this);
  }

  @Override
  public PrivateKeyEntryDecoder<EdECPublicKey, EdECPrivateKey>
      getOpenSSHEDDSAPrivateKeyEntryDecoder() {
    return new GenericOpenSSHEd25519PrivateKeyEntryDecoder<>(
        EdECPublicKey.class, EdECPrivateKey.class, this);
  }

  @Override
  public Signature getEDDSASigner() {
    return new GenericSignatureEd25519(ALGORITHM);
  }

  @Override
  public int getEDDSAKeySize(Key key) {
    return key instanceof EdECPublicKey || key instanceof EdECPrivateKey ? KEY_SIZE : -1;
  }

  @Override
  public Class<EdECPublicKey> getEDDSAPublicKeyType() {
    return EdECPublicKey.class;
  }

  @Override
  public Class<EdECPrivateKey> getEDDSAPrivateKeyType() {
    return EdECPrivateKey.class;
  }

  @Override
  public boolean compareEDDSAPPublicKeys(PublicKey one, PublicKey other) {
    return one instanceof EdECPublicKey
        && other instanceof EdECPublicKey
        && MessageDigest.isEqual(one.getEncoded(), other.getEncoded());
  }

  @Override
  public boolean compareEDDSAPrivateKeys(PrivateKey one, PrivateKey other) {
    return one instanceof EdECPrivateKey
        && other instanceof EdECPrivateKey
        && MessageDigest.isEqual(one.getEncoded(), other.getEncoded());
  }

  /**
   * The JDK computes a public key only when it generates a pair: the generator gets the seed as its
   * random bytes.
   */
  @Override
  public EdECPublicKey recoverEDDSAPublicKey(PrivateKey key) throws GeneralSecurityException {
    byte[] seed = EdDSAUtils.getBytes(key);
    KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
    generator.initialize(NamedParameterSpec.ED25519, new Given(seed));
    KeyPair pair = generator.generateKeyPair();
    if (!MessageDigest.isEqual(seed, EdDSAUtils.getBytes(pair.getPrivate()))) {
      throw new InvalidKeyException("this Java makes keys of something else than the seed");
    }
    return (EdECPublicKey) pair.getPublic();
  }

  /** A source of random bytes that returns the given bytes. */
  private static final class Given extends SecureRandom {
    private static final long serialVersionUID = 1L;

    private final byte[] seed;

    Given(byte[] seed) {
      this.seed = seed;
    }

    @Override
    public void nextBytes(byte[] bytes) {
      System.arraycopy(seed, 0, bytes, 0, Math.min(seed.length, bytes.length));
    }
  }

  @Override
  public EdECPublicKey generateEDDSAPublicKey(byte[] raw) throws GeneralSecurityException {
    return (EdECPublicKey) keys().generatePublic(EdDSAUtils.createPublicKeySpec(raw));
  }

  @Override
  public EdECPrivateKey generateEDDSAPrivateKey(byte[] seed) throws GeneralSecurityException {
    return (EdECPrivateKey) keys().generatePrivate(EdDSAUtils.createPrivateKeySpec(seed));
  }

  @Override
  public <B extends Buffer> B putRawEDDSAPublicKey(B buffer, PublicKey key) {
    buffer.putBytes(getPublicKeyData((EdECPublicKey) key));
    return buffer;
  }

  /** The private part is the seed with the public key behind it, as OpenSSH writes it. */
  @Override
  public <B extends Buffer> B putEDDSAKeyPair(B buffer, PublicKey open, PrivateKey secret) {
    byte[] raw = getPublicKeyData((EdECPublicKey) open);
    byte[] both = java.util.Arrays.copyOf(getPrivateKeyData((EdECPrivateKey) secret), 2 * SEED);
    System.arraycopy(raw, 0, both, SEED, SEED);
    buffer.putBytes(raw);
    buffer.putBytes(both);
    return buffer;
  }

  @Override
  public KeySpec createPublicKeySpec(EdECPublicKey key) {
    return spec(() -> EdDSAUtils.createPublicKeySpec(getPublicKeyData(key)));
  }

  @Override
  public KeySpec createPrivateKeySpec(EdECPrivateKey key) {
    return spec(() -> EdDSAUtils.createPrivateKeySpec(getPrivateKeyData(key)));
  }

  @Override
  public byte[] getPublicKeyData(EdECPublicKey key) {
    return spec(() -> EdDSAUtils.getBytes(key));
  }

  @Override
  public byte[] getPrivateKeyData(EdECPrivateKey key) {
    return spec(() -> EdDSAUtils.getBytes(key));
  }

  @Override
  public String getKeyFactoryAlgorithm() {
    return ALGORITHM;
  }

  private static KeyFactory keys() throws GeneralSecurityException {
    return KeyFactory.getInstance(ALGORITHM);
  }

  private interface Making<T> {
    T make() throws IOException, InvalidKeyException;
  }

  private static <T> T spec(Making<T> making) {
    try {
      return making.make();
    } catch (IOException | InvalidKeyException e) {
      throw new IllegalArgumentException("no Ed25519 key", e);
    }
  }
}
