package dev.slipway.cli;

import java.util.List;
import java.util.Map;

/**
 * Two teams of the server of the tests, each with one developer.
 *
 * @param first asks first
 * @param second tries to reach what the first one has
 */
record TwoTeams(Member first, Member second) {

  /** A developer of one team. */
  record Member(String team, Api api) {}

  static TwoTeams in(TestServer server) throws InterruptedException {
    return new TwoTeams(member(server, "red"), member(server, "blue"));
  }

  private static Member member(TestServer server, String team) throws InterruptedException {
    String name = "developer-of-" + team;
    List<Map<String, String>> roles = List.of(Map.of("team", team, "role", "developer"));
    server.api().post("/api/admin/users", Map.of(), Map.of("name", name, "roles", roles));
    Map<String, Object> key =
        server
            .api()
            .post(
                Verb.path("admin", "users", name, "api-keys"),
                Map.of(),
                Map.of("name", "ownership"));
    return new Member(team, server.caller(String.valueOf(key.get("token"))));
  }
}
