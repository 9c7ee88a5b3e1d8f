package dev.slipway.testbed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A stateful test double of Gitea: its calls to create, read and delete repositories, with access
 * rights and the real answers. Names are compared without case, as in Gitea.
 */
public final class TestGitea implements AutoCloseable {
  /** A fault of the next changing call. */
  public enum Fault {
    /** Answers 500 without an effect. */
    BROKEN,
    /** Answers 503 without an effect. */
    BUSY,
    /** Takes effect, but the answer is lost. */
    ANSWER_LOST,
    /** Another client creates the same repository just before. */
    OVERTAKEN
  }

  /** The directory of real repositories, and the URL that serves them. */
  private record Files(Path directory, String url) {}

  private record User(String login, String password, String token, boolean admin) {}

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, User> users = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Map<String, Set<String>> organisations =
      new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Map<String, Map<String, Object>> repositories =
      new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Map<String, String> moved = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
  private final List<String> calls = new ArrayList<>();
  private final HttpServer http;
  private @Nullable Files files;
  private long ids;

  /** Listens on this machine only, with the site administrator {@code root}. */
  public TestGitea() {
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.createContext("/", this::serve);
    http.start();
    users.put("root", new User("root", "root-password", "root-token", true));
  }

  /** From now on creates real repositories below a directory, served at that URL. */
  public synchronized TestGitea keepingFiles(Path directory, String servedAt) {
    files = new Files(directory, servedAt);
    return this;
  }

  public String url() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  /** Adds a user with password {@code NAME-password} and token {@code NAME-token}. */
  public synchronized void user(String login) {
    users.put(login, new User(login, login + "-password", login + "-token", false));
  }

  /** Adds an organisation in which these users may create repositories. */
  public synchronized void organisation(String name, String... members) {
    organisations.put(name, new TreeSet<>(List.of(members)));
  }

  /** Adds an existing repository. */
  public void repository(String owner, String name) {
    repository(owner, name, "");
  }

  /** Adds an existing repository with that description. */
  public synchronized void repository(String owner, String name, String description) {
    repositories.put(owner + "/" + name, made(owner, name, Map.of("description", description)));
  }

  /** Every repository as the API returns it, by owner and name. */
  public synchronized Map<String, Map<String, Object>> all() {
    Map<String, Map<String, Object>> copies = new TreeMap<>();
    repositories.forEach((name, repository) -> copies.put(name, new TreeMap<>(repository)));
    return copies;
  }

  /** Renames a repository; the old name redirects to the new one for a while. */
  public synchronized void rename(String owner, String name, String now) {
    Object description = find(owner, name).get("description");
    repositories.put(owner + "/" + now, made(owner, now, Map.of("description", description)));
    repositories.remove(owner + "/" + name);
    moved.put(owner + "/" + name, owner + "/" + now);
  }

  /** The repository as the API returns it, or nothing. */
  public synchronized Map<String, Object> find(String owner, String name) {
    return repositories.getOrDefault(owner + "/" + name, Map.of());
  }

  /** The faults of the next changing calls, one per call. */
  public void faults(Fault... next) {
    faults.addAll(List.of(next));
  }

  /** Every call so far: method, path, user. */
  public synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  @Override
  public void close() {
    http.stop(0);
  }

  private record Reply(int status, @Nullable Object body) {}

  private void serve(HttpExchange exchange) throws IOException {
    String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Fault fault =
        exchange.getRequestMethod().equals("GET") || faults.isEmpty() ? null : faults.poll();
    Reply reply =
        switch (fault) {
          case BROKEN -> problem(500, "");
          case BUSY -> new Reply(503, null);
          case ANSWER_LOST -> {
            answer(exchange, sent, null);
            yield null;
          }
          case OVERTAKEN -> answer(exchange, sent, fault);
          case null -> answer(exchange, sent, null);
        };
    if (reply != null) {
      byte[] body = reply.body() == null ? new byte[0] : JSON.writeValueAsBytes(reply.body());
      exchange.getResponseHeaders().add("Content-Type", "application/json;charset=utf-8");
      exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  private synchronized Reply answer(HttpExchange exchange, String sent, @Nullable Fault fault)
      throws JsonProcessingException {
    String method = exchange.getRequestMethod();
    String path = exchange.getRequestURI().getPath();
    String credentials = exchange.getRequestHeaders().getFirst("Authorization");
    User user = signedIn(credentials);
    calls.add(method + " " + path + " " + (user == null ? "nobody" : user.login()));
    if (!path.startsWith("/api/v1/")) {
      return new Reply(404, null);
    }
    if (credentials != null && user == null) {
      return problem(401, "invalid username, password or token");
    }
    String[] parts = path.substring("/api/v1/".length()).split("/");
    if (parts[0].equals("repos") && parts.length == 3) {
      return repository(exchange, new Asked(parts[1] + "/" + parts[2], sent), user);
    }
    if (parts[0].equals("orgs") && parts.length == 2) {
      return organisations.containsKey(parts[1])
          ? new Reply(200, Map.of("username", parts[1]))
          : missing();
    }
    if (user == null) {
      return problem(401, "token is required");
    }
    return signedIn(method, parts, user, sent, fault);
  }

  private Reply signedIn(
      String method, String[] parts, User user, String sent, @Nullable Fault fault)
      throws JsonProcessingException {
    String path = String.join("/", parts);
    if (method.equals("GET") && path.equals("user")) {
      return new Reply(200, Map.of("login", user.login(), "is_admin", user.admin()));
    }
    if (!method.equals("POST") || !path.endsWith("repos")) {
      return new Reply(404, null);
    }
    if (path.equals("user/repos")) {
      return create(user.login(), sent, fault);
    }
    if (parts[0].equals("orgs")) {
      Set<String> members = organisations.get(parts[1]);
      if (members == null) {
        return missing();
      }
      return user.admin() || members.contains(user.login())
          ? create(parts[1], sent, fault)
          : problem(403, "Given user is not allowed to create repository in organization.");
    }
    if (!user.admin()) {
      return problem(403, "user should be the site admin");
    }
    return users.containsKey(parts[2]) ? create(parts[2], sent, fault) : missing();
  }

  private Reply create(String owner, String sent, @Nullable Fault fault)
      throws JsonProcessingException {
    Map<?, ?> option = JSON.readValue(sent, Map.class);
    String name = String.valueOf(option.get("name"));
    if (!name.matches("[A-Za-z0-9._-]{1,100}")) {
      return problem(422, "[Name]: AlphaDashDot");
    }
    if (Set.of(".", "..", "-").contains(name) || name.toLowerCase(Locale.ROOT).endsWith(".git")) {
      return problem(422, "name is reserved [name: " + name + "]");
    }
    if (fault == Fault.OVERTAKEN) {
      repository(owner, name);
    }
    if (repositories.containsKey(owner + "/" + name)) {
      return problem(409, "The repository with the same name already exists.");
    }
    Map<String, Object> made = made(owner, name, option);
    repositories.put(owner + "/" + name, made);
    return new Reply(201, made);
  }

  private Map<String, Object> made(String owner, String name, Map<?, ?> option) {
    String full = owner + "/" + name;
    moved.remove(full);
    Map<String, Object> repository = new LinkedHashMap<>();
    repository.put("id", ++ids);
    repository.put("owner", Map.of("login", owner));
    repository.put("name", name);
    repository.put("full_name", full);
    repository.put(
        "description", option.containsKey("description") ? option.get("description") : "");
    repository.put("empty", !Boolean.TRUE.equals(option.get("auto_init")));
    repository.put("private", Boolean.TRUE.equals(option.get("private")));
    repository.put("html_url", url() + "/" + full);
    repository.put("clone_url", (files == null ? url() : files.url()) + "/" + full + ".git");
    repository.put("ssh_url", "git@127.0.0.1:" + full + ".git");
    repository.put("default_branch", "main");
    if (files != null) {
      keep(files.directory().resolve(owner), name, Boolean.TRUE.equals(option.get("auto_init")));
    }
    return repository;
  }

  private static void keep(Path directory, String name, boolean begun) {
    directory.toFile().mkdirs();
    GitRepository repository = GitRepository.create(directory, name);
    if (begun) {
      repository.write("README.md", "# " + name + "\n").commit("Initial commit");
    }
  }

  /** The repository and the body of a call. */
  private record Asked(String full, String sent) {}

  private Reply repository(HttpExchange exchange, Asked asked, @Nullable User user)
      throws JsonProcessingException {
    String method = exchange.getRequestMethod();
    String full = asked.full();
    Map<String, Object> found = repositories.get(full);
    if (found == null && moved.containsKey(full)) {
      exchange.getResponseHeaders().add("Location", "/api/v1/repos/" + moved.get(full));
      return new Reply(method.equals("GET") ? 301 : 307, null);
    }
    boolean owns = user != null && (user.admin() || owns(user, full.split("/")[0]));
    if (found == null || Boolean.TRUE.equals(found.get("private")) && !owns) {
      return missing();
    }
    if (method.equals("GET")) {
      return new Reply(200, found);
    }
    if (user == null) {
      return problem(401, "token is required");
    }
    if (!owns) {
      return problem(403, "user should be the owner of the repo");
    }
    if (method.equals("PATCH")) {
      Object description = JSON.readValue(asked.sent(), Map.class).get("description");
      found.put("description", description);
      return new Reply(200, found);
    }
    repositories.remove(full);
    return new Reply(204, null);
  }

  private boolean owns(User user, String owner) {
    return owner.equalsIgnoreCase(user.login())
        || organisations.getOrDefault(owner, Set.of()).contains(user.login());
  }

  private @Nullable User signedIn(@Nullable String credentials) {
    for (User user : users.values()) {
      byte[] pair = (user.login() + ":" + user.password()).getBytes(StandardCharsets.UTF_8);
      if (("token " + user.token()).equals(credentials)
          || ("Bearer " + user.token()).equals(credentials)
          || ("Basic " + Base64.getEncoder().encodeToString(pair)).equals(credentials)) {
        return user;
      }
    }
    return null;
  }

  private Reply missing() {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("errors", List.of());
    body.put("message", "The target couldn't be found.");
    body.put("url", url() + "/api/swagger");
    return new Reply(404, body);
  }

  private Reply problem(int status, String message) {
    return new Reply(status, Map.of("message", message, "url", url() + "/api/swagger"));
  }
}
