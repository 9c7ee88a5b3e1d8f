package dev.slipway.promises;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A kind of life that an application can have, lived by a client that asks again whenever it got no
 * answer. {@link #act} does whatever comes next and says whether the end has been reached.
 */
enum Scenario {
  PLAIN("plain", "active", Map.of("one", 1, "two", 1)),
  PARALLEL("parallel", "active", Map.of("left", 1, "right", 1, "last", 1)),
  RETRYING("retrying", "active", Map.of("flaky", 2, "after", 1)),
  UNDOING("undoing", "failed", Map.of("make", 1, "more", 1, "fail", 1, "undo", 1, "undo-more", 1)),
  APPROVING("approving", "active", Map.of("before", 1, "after", 1)),
  CANCELLED("lasting", "failed", Map.of("first", 1)),
  NESTED("nested", "active", Map.of("outer", 1, "one", 1, "two", 1, "end", 1)),
  DEPROVISIONING("plain", "deleted", Map.of("one", 1, "two", 1, "drop", 1));

  final String type;

  /** In which state the resource ends. */
  final String end;

  /** How many keys the witness must have seen for each effect. */
  final Map<String, Integer> effects;

  Scenario(String type, String end, Map<String, Integer> effects) {
    this.type = type;
    this.end = end;
    this.effects = effects;
  }

  /** The part before the interesting one, if there is any. */
  boolean prepare(Client client, Life life) throws IOException {
    return this != DEPROVISIONING || deployed(client, life) && "active".equals(state(client, life));
  }

  /** Goes on; true when the end has been reached. */
  boolean act(Client client, Life life) throws IOException {
    if (!deployed(client, life)) {
      return false;
    }
    return switch (this) {
      case PLAIN, PARALLEL, RETRYING, NESTED, UNDOING -> end.equals(state(client, life));
      case APPROVING -> end.equals(state(client, life)) || approve(client, life);
      case CANCELLED -> end.equals(state(client, life)) || cancel(client, life);
      case DEPROVISIONING -> gone(client, life);
    };
  }

  private boolean deployed(Client client, Life life) throws IOException {
    if (!life.accepted) {
      Client.Answer answer =
          client.post(
              "/api/applications",
              "application/yaml",
              Yard.score(life.application, type),
              life.application + "-deploy");
      life.expect(answer, 200, 201);
      life.accepted = answer.status() / 100 == 2;
    }
    return life.accepted;
  }

  private static String state(Client client, Life life) throws IOException {
    Client.Answer answer = client.get("/api/applications/" + life.application);
    life.expect(answer, 200);
    return answer.status() == 200 ? String.valueOf(answer.json().get("state")) : "";
  }

  private static boolean approve(Client client, Life life) throws IOException {
    for (Map<String, Object> approval : list(client, life, "/api/approvals?state=pending")) {
      if (life.application.equals(approval.get("application"))) {
        life.expect(
            client.post(
                "/api/approvals/" + approval.get("id") + "/approve",
                "application/json",
                "{}",
                life.application + "-approve"),
            200,
            409);
      }
    }
    return false;
  }

  private static boolean cancel(Client client, Life life) throws IOException {
    for (Map<String, Object> run : list(client, life, "/api/workflows?app=" + life.application)) {
      if ("waiting".equals(run.get("status"))) {
        life.expect(
            client.post(
                "/api/workflows/" + run.get("id") + "/cancel",
                "application/json",
                "{}",
                life.application + "-cancel"),
            200,
            202,
            409);
      }
    }
    return false;
  }

  /** Empty as long as the server cannot say. */
  private static List<Map<String, Object>> list(Client client, Life life, String path)
      throws IOException {
    Client.Answer answer = client.get(path);
    life.expect(answer, 200);
    return answer.status() == 200 ? Client.data(answer) : List.of();
  }

  private static boolean gone(Client client, Life life) throws IOException {
    if (!life.leaving) {
      Client.Answer answer =
          client.delete("/api/applications/" + life.application + "?confirm=" + life.application);
      life.expect(answer, 202, 404, 409);
      life.leaving = answer.status() != 409;
      return false;
    }
    Client.Answer answer = client.get("/api/applications/" + life.application);
    life.expect(answer, 200, 404);
    return answer.status() == 404;
  }

  /** How far one application's client has come. */
  static final class Life {
    final String application;
    boolean accepted;
    boolean leaving;

    Life(String application) {
      this.application = application;
    }

    /** A server that has just come back may not know its database yet; else the answer must fit. */
    void expect(Client.Answer answer, int... statuses) {
      boolean fits = answer.status() == 503;
      for (int status : statuses) {
        fits |= answer.status() == status;
      }
      if (!fits) {
        throw new AssertionError(application + ": " + answer.status() + " " + answer.body());
      }
    }
  }
}
