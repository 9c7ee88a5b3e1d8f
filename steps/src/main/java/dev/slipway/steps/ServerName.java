package dev.slipway.steps;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts a certificate only for the name that the step calls. A step connects to an address that
 * was checked, and Java would accept a certificate for that address too; it proves nothing about
 * the name, which a forged lookup may have led there.
 */
final class ServerName extends X509ExtendedTrustManager {
  private static final int DNS_NAME = 2;

  private final X509ExtendedTrustManager usual;
  private final String host;

  ServerName(X509ExtendedTrustManager usual, String host) {
    this.usual = usual;
    this.host = host.toLowerCase(Locale.ROOT);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    usual.checkServerTrusted(chain, type, engine);
    check(chain[0]);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    usual.checkServerTrusted(chain, type, socket);
    check(chain[0]);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    usual.checkServerTrusted(chain, type);
    check(chain[0]);
  }

  private void check(X509Certificate certificate) throws CertificateException {
    List<String> names = names(certificate);
    if (names.stream().noneMatch(this::matches)) {
      throw new CertificateException("the certificate is for " + names + " and not for " + host);
    }
  }

  private static List<String> names(X509Certificate certificate) throws CertificateException {
    List<String> names = new ArrayList<>();
    Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
    for (List<?> each : alternatives == null ? List.<List<?>>of() : alternatives) {
      if (Integer.valueOf(DNS_NAME).equals(each.get(0))) {
        names.add(String.valueOf(each.get(1)).toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }

  /** A wildcard matches the first label only, and not directly below a top-level domain. */
  private boolean matches(String name) {
    int dot = host.indexOf('.');
    return name.startsWith("*.")
        ? dot > 0 && name.indexOf('.', 2) > 0 && host.substring(dot).equals(name.substring(1))
        : name.equals(host);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    usual.checkClientTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    usual.checkClientTrusted(chain, type, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    usual.checkClientTrusted(chain, type, engine);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return usual.getAcceptedIssuers();
  }
}
