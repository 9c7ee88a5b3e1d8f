package dev.slipway.kubernetes.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SignatureException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuthorityTest {
  private final Authority authority = new Authority("one");

  @Test
  void an_issued_certificate_is_signed_by_its_authority_and_no_other() throws Exception {
    X509Certificate leaf = read(authority.issue("server", List.of("localhost", "127.0.0.1")));
    leaf.verify(read(authority.own()).getPublicKey());
    X509Certificate other = read(new Authority("one").own());
    assertThatThrownBy(() -> leaf.verify(other.getPublicKey()))
        .isInstanceOf(SignatureException.class);
  }

  @Test
  void an_issued_certificate_names_its_hosts_and_cannot_issue_others() throws Exception {
    X509Certificate leaf = read(authority.issue("server", List.of("localhost", "127.0.0.1")));
    assertThat(leaf.getSubjectAlternativeNames())
        .containsExactly(List.of(2, "localhost"), List.of(7, "127.0.0.1"));
    assertThat(leaf.getBasicConstraints()).isEqualTo(-1);
    assertThat(leaf.getKeyUsage()).startsWith(true, false, false, false, false, false);
    X509Certificate own = read(authority.own());
    assertThat(own.getBasicConstraints()).isEqualTo(Integer.MAX_VALUE);
    assertThat(own.getKeyUsage()[5]).isTrue();
  }

  @Test
  void a_certificate_is_valid_now_and_in_nine_years() throws Exception {
    X509Certificate leaf = read(authority.issue("client", List.of()));
    leaf.checkValidity();
    leaf.checkValidity(Date.from(Instant.now().plus(Duration.ofDays(9 * 365))));
    assertThat(leaf.getSubjectX500Principal().getName()).isEqualTo("CN=client");
  }

  private static X509Certificate read(Authority.Signed signed) throws GeneralSecurityException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(signed.certificate().getBytes(StandardCharsets.US_ASCII)));
  }
}
