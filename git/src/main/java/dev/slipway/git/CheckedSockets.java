package dev.slipway.git;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import javax.net.ssl.SSLSocketFactory;

/**
 * Sockets for HTTPS that connect to one address. The JDK asks for an unconnected socket, connects
 * it, and then starts TLS on it with the host's name, which the certificate has to prove.
 */
final class CheckedSockets extends SSLSocketFactory {
  private final SSLSocketFactory tls;
  private final InetSocketAddress place;

  CheckedSockets(SSLSocketFactory tls, InetSocketAddress place) {
    this.tls = tls;
    this.place = place;
  }

  @Override
  public Socket createSocket() {
    return new PinnedSocket(place);
  }

  @Override
  public Socket createSocket(Socket connected, String host, int port, boolean autoClose)
      throws IOException {
    if (!connected.getRemoteSocketAddress().equals(place)) {
      throw new SocketException("connected to another address than the checked one");
    }
    return tls.createSocket(connected, host, port, autoClose);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw new SocketException("a connection by name could reach an address that was not checked");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress from, int fromPort)
      throws IOException {
    return createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return createSocket(host.getHostAddress(), port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
      throws IOException {
    return createSocket(host.getHostAddress(), port);
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return tls.getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return tls.getSupportedCipherSuites();
  }
}
