package dev.slipway.testbed;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Serves the repositories below a directory by smart HTTP through the real {@code git
 * http-backend}. Tests can make it require a password, redirect, or stop answering.
 */
public final class GitHttpServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Path root;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile @Nullable String authorization;
  private volatile @Nullable String elsewhere;
  private volatile Behaviour behaviour = Behaviour.ANSWERS;

  private enum Behaviour {
    ANSWERS,
    SILENT,
    SLOW_PACK
  }

  private GitHttpServer(Path root, HttpServer server) {
    this.root = root;
    this.server = server;
  }

  /** Serves the repositories below the directory, on a free port of this machine. */
  public static GitHttpServer start(Path root) throws IOException {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    GitHttpServer server = new GitHttpServer(root, http);
    http.createContext("/", server::answer);
    http.setExecutor(server.threads);
    http.start();
    return server;
  }

  /** From now on requires this user and password. */
  public GitHttpServer asks(String user, String password) {
    byte[] plain = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    authorization = "Basic " + Base64.getEncoder().encodeToString(plain);
    return this;
  }

  /** From now on redirects every request there. */
  public GitHttpServer redirects(String base) {
    elsewhere = base;
    return this;
  }

  /** From now on answers nothing. */
  public GitHttpServer fallsSilent() {
    behaviour = Behaviour.SILENT;
    return this;
  }

  /** From now on sends packs slowly and never completes them. */
  public GitHttpServer trickles() {
    behaviour = Behaviour.SLOW_PACK;
    return this;
  }

  /** Method and path of all requests. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  public String base() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The URL of a repository below the directory. */
  public String url(GitRepository repository) {
    return base() + "/" + root.relativize(repository.bare());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      requests.add(exchange.getRequestMethod() + " " + asked(exchange));
      if (behaviour == Behaviour.SILENT) {
        closing.await();
        return;
      }
      if (elsewhere != null) {
        exchange.getResponseHeaders().set("Location", elsewhere + asked(exchange));
        exchange.sendResponseHeaders(301, -1);
        return;
      }
      String given = exchange.getRequestHeaders().getFirst("Authorization");
      if (authorization != null && !authorization.equals(given)) {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      backend(exchange);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Path and query, also of a request that has the host in its request line. */
  private static String asked(HttpExchange exchange) {
    URI uri = exchange.getRequestURI();
    return uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
  }

  private void backend(HttpExchange exchange) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("git", "http-backend");
    Map<String, String> env = builder.environment();
    env.put("GIT_CONFIG_NOSYSTEM", "1");
    env.put("GIT_CONFIG_GLOBAL", "/dev/null");
    env.put("GIT_CONFIG_COUNT", "1");
    env.put("GIT_CONFIG_KEY_0", "http.receivepack");
    env.put("GIT_CONFIG_VALUE_0", "true");
    env.put("GIT_PROJECT_ROOT", root.toString());
    env.put("GIT_HTTP_EXPORT_ALL", "1");
    env.put("REQUEST_METHOD", exchange.getRequestMethod());
    env.put("PATH_INFO", exchange.getRequestURI().getPath());
    put(env, "QUERY_STRING", exchange.getRequestURI().getRawQuery());
    put(env, "CONTENT_TYPE", exchange.getRequestHeaders().getFirst("Content-Type"));
    put(env, "CONTENT_LENGTH", exchange.getRequestHeaders().getFirst("Content-Length"));
    put(env, "HTTP_CONTENT_ENCODING", exchange.getRequestHeaders().getFirst("Content-Encoding"));
    put(env, "HTTP_GIT_PROTOCOL", exchange.getRequestHeaders().getFirst("Git-Protocol"));
    env.put("REMOTE_USER", "somebody");
    env.put("REMOTE_ADDR", "127.0.0.1");
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    try (OutputStream in = process.getOutputStream()) {
      exchange.getRequestBody().transferTo(in);
    }
    try (InputStream out = new BufferedInputStream(process.getInputStream())) {
      reply(exchange, out);
    } finally {
      process.destroy();
      process.waitFor();
    }
  }

  private static void put(Map<String, String> env, String name, @Nullable String value) {
    if (value != null) {
      env.put(name, value);
    }
  }

  private void reply(HttpExchange exchange, InputStream out)
      throws IOException, InterruptedException {
    int status = 200;
    for (String line = line(out); !line.isEmpty(); line = line(out)) {
      int colon = line.indexOf(':');
      String name = line.substring(0, colon);
      String value = line.substring(colon + 1).strip();
      if (name.toLowerCase(Locale.ROOT).equals("status")) {
        status = Integer.parseInt(value.split(" ")[0]);
      } else {
        exchange.getResponseHeaders().add(name, value);
      }
    }
    exchange.sendResponseHeaders(status, 0);
    OutputStream to = exchange.getResponseBody();
    boolean pack = exchange.getRequestURI().getPath().endsWith("git-upload-pack");
    if (behaviour == Behaviour.SLOW_PACK && pack) {
      trickle(out, to);
    } else {
      out.transferTo(to);
    }
  }

  private void trickle(InputStream out, OutputStream to) throws IOException, InterruptedException {
    for (int b = out.read(); b >= 0; b = out.read()) {
      to.write(b);
      to.flush();
      if (closing.await(50, java.util.concurrent.TimeUnit.MILLISECONDS)) {
        return;
      }
    }
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
