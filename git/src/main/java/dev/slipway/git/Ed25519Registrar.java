package dev.slipway.git;

import java.security.Provider;
import java.security.Security;
import java.util.Optional;
import org.apache.sshd.common.util.security.AbstractSecurityProviderRegistrar;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.apache.sshd.common.util.security.eddsa.generic.EdDSASupport;

/** Registers the support under the name that the library looks for first. */
final class Ed25519Registrar extends AbstractSecurityProviderRegistrar {
  Ed25519Registrar() {
    super(SecurityUtils.EDDSA);
  }

  @Override
  public boolean isEnabled() {
    return true;
  }

  @Override
  public boolean isSupported() {
    return true;
  }

  @Override
  public boolean isNamedProviderUsed() {
    return false;
  }

  @Override
  public Provider getSecurityProvider() {
    return Security.getProvider("SunEC");
  }

  @Override
  public boolean isKeyFactorySupported(String name) {
    return name.equals(SecurityUtils.EDDSA) || name.equals(Ed25519.ALGORITHM);
  }

  @Override
  public boolean isSignatureSupported(String name) {
    return isKeyFactorySupported(name);
  }

  @Override
  public boolean isKeyPairGeneratorSupported(String name) {
    return isKeyFactorySupported(name);
  }

  @Override
  public Optional<EdDSASupport<?, ?>> getEdDSASupport() {
    return Optional.of(new Ed25519());
  }
}
