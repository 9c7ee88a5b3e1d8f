package dev.slipway.promises;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Something that a client does or waits for. It is done again, with the same key, until it is done:
 * the server may be away, or may have died without an answer.
 */
@FunctionalInterface
interface Deed {
  /** One try. */
  boolean done(Client client, Life life) throws IOException;

  /** Deploys the usual document. */
  static Deed deploy() {
    return (client, life) -> deployed(client, life, Yard.score(life.application, life.type), "");
  }

  /** Deploys it with a parameter that is another one in each version. */
  static Deed deploy(int version) {
    return (client, life) ->
        deployed(client, life, Yard.score(life.application, life.type, version), "-" + version);
  }

  /** Deploys it with a second resource that needs the first. */
  static Deed deployTwo() {
    return (client, life) ->
        deployed(client, life, Yard.scoreOfTwo(life.application, life.type), "");
  }

  private static boolean deployed(Client client, Life life, String score, String version)
      throws IOException {
    return life.expect(
        client.post(
            "/api/applications", "application/yaml", score, life.application + "-deploy" + version),
        200,
        201);
  }

  /** Waits until the application is in that state. */
  static Deed becomes(String state) {
    return (client, life) -> {
      Client.Answer answer = client.get("/api/applications/" + life.application);
      return life.expect(answer, 200) && state.equals(answer.json().get("state"));
    };
  }

  /** Waits for that state, and does the other thing meanwhile. */
  static Deed becomes(String state, Deed meanwhile) {
    Deed reached = becomes(state);
    return (client, life) -> {
      if (reached.done(client, life)) {
        return true;
      }
      meanwhile.done(client, life);
      return false;
    };
  }

  /**
   * Decides each approval that is pending: the word of each step is {@code approve} or {@code
   * reject}.
   */
  static Deed answer(Map<String, String> words) {
    return (client, life) -> {
      for (Map<String, Object> approval : list(client, life, "/api/approvals?state=pending")) {
        String word = words.get(String.valueOf(approval.get("step")));
        if (life.application.equals(approval.get("application")) && word != null) {
          life.expect(
              life.another.post(
                  "/api/approvals/" + approval.get("id") + "/" + word,
                  "application/json",
                  "{}",
                  life.application + "-" + approval.get("step")),
              200,
              409);
        }
      }
      return true;
    };
  }

  /** Cancels the run whose step is in that state. */
  static Deed cancelWhen(String step, String status) {
    return (client, life) -> {
      for (String run : runsWith(client, life, step, status)) {
        life.expect(
            client.post(
                "/api/workflows/" + run + "/cancel",
                "application/json",
                "{}",
                life.application + "-cancel"),
            202,
            409);
      }
      return true;
    };
  }

  /** Waits until a step of some run is in that state. */
  static Deed step(String step, String status) {
    return (client, life) -> !runsWith(client, life, step, status).isEmpty();
  }

  @SuppressWarnings("unchecked")
  private static List<String> runsWith(Client client, Life life, String step, String status)
      throws IOException {
    List<String> found = new ArrayList<>();
    for (Map<String, Object> run : runs(client, life)) {
      Client.Answer answer = client.get("/api/workflows/" + run.get("id"));
      if (life.expect(answer, 200)
          && ((List<Map<String, Object>>) answer.json().get("steps"))
              .stream()
                  .anyMatch(s -> step.equals(s.get("name")) && status.equals(s.get("status")))) {
        found.add(String.valueOf(run.get("id")));
      }
    }
    return found;
  }

  /** Tries the last run that failed again; each time has a name of its own. */
  static Deed retry(String time) {
    return (client, life) -> {
      for (Map<String, Object> run : runs(client, life)) {
        if ("failed".equals(run.get("status"))) {
          return life.expect(
              client.post(
                  "/api/workflows/" + run.get("id") + "/retry",
                  "application/json",
                  "{}",
                  life.application + "-retry-" + time),
              202);
        }
      }
      return false;
    };
  }

  /** Asks for the end of the application. */
  static Deed remove() {
    return (client, life) -> {
      Client.Answer answer =
          client.delete(
              "/api/applications/" + life.application + "?confirm=" + life.application,
              life.application + "-delete");
      return life.expect(answer, 202, 404, 409) && answer.status() != 409;
    };
  }

  /** Waits until the server answers 404 for the application. */
  static Deed gone() {
    return (client, life) -> {
      Client.Answer answer = client.get("/api/applications/" + life.application);
      return life.expect(answer, 200, 404) && answer.status() == 404;
    };
  }

  private static List<Map<String, Object>> runs(Client client, Life life) throws IOException {
    return list(client, life, "/api/workflows?app=" + life.application);
  }

  /** Empty as long as the server cannot say. */
  private static List<Map<String, Object>> list(Client client, Life life, String path)
      throws IOException {
    Client.Answer answer = client.get(path);
    return life.expect(answer, 200) ? Client.data(answer) : List.of();
  }

  /** How far one application's client has come. */
  final class Life {
    final String application;
    final String type;
    final Client another;
    private int done;

    /** {@code another} decides what is asked for in it. */
    Life(String application, String type, Client another) {
      this.application = application;
      this.type = type;
      this.another = another;
    }

    /** Does what comes next; true when all of it is done. */
    boolean live(List<Deed> deeds, Client client) throws IOException {
      while (done < deeds.size() && deeds.get(done).done(client, this)) {
        done++;
      }
      return done == deeds.size();
    }

    /**
     * Whether it was answered, which must fit. A server that has just come back may not know its
     * database yet.
     */
    boolean expect(Client.Answer answer, int... statuses) {
      for (int status : statuses) {
        if (answer.status() == status) {
          return true;
        }
      }
      if (answer.status() != 503) {
        throw new AssertionError(application + ": " + answer.status() + " " + answer.body());
      }
      return false;
    }
  }
}
