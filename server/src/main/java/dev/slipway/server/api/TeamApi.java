package dev.slipway.server.api;

import static dev.slipway.web.Route.delete;
import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.post;

import dev.slipway.postgres.access.Membership;
import dev.slipway.postgres.access.Role;
import dev.slipway.postgres.access.TeamStore;
import dev.slipway.postgres.access.TeamStore.Team;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Fields;
import dev.slipway.web.Names;
import dev.slipway.web.Paging;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import dev.slipway.web.access.Identity;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** TeamStore: members see their own, administrators change them. */
public record TeamApi(TeamStore teams, InstantSource clock) {
  public List<Route> routes() {
    return List.of(
        get("/api/teams")
            .needs(Action.READ)
            .named("listTeams", "The teams that the caller belongs to; all for operators")
            .paged()
            .gives(200, "a piece of the list", "Team[]")
            .by(this::list),
        post("/api/teams")
            .needs(Action.ADMINISTER)
            .named("createTeam", "Make a team")
            .takes(Route.Content.JSON, "NewTeam")
            .gives(201, "made", "Team")
            .is(Route.Trait.IDEMPOTENT)
            .by(this::create),
        get("/api/teams/{name}")
            .needs(Action.READ)
            .named("showTeam", "One team with its members")
            .gives(200, "the team", "Team")
            .by(call -> Answer.ok(view(visible(call)))),
        delete("/api/teams/{name}")
            .needs(Action.ADMINISTER)
            .named("deleteTeam", "Remove a team that owns nothing")
            .givesNothing(204, "removed")
            .by(this::remove),
        post("/api/teams/{name}/members")
            .needs(Action.ADMINISTER)
            .named("addTeamMember", "Give a user a role in a team")
            .takes(Route.Content.JSON, "NewMember")
            .gives(200, "the team as it is now", "Team")
            .by(this::join),
        delete("/api/teams/{name}/members/{user}")
            .needs(Action.ADMINISTER)
            .named("removeTeamMember", "Remove a user from a team, with all roles in it")
            .givesNothing(204, "no longer a member")
            .by(this::leave));
  }

  private Answer list(Call call) {
    Paging paging = Paging.of(call);
    Set<String> visible =
        switch (call.caller().reach(Action.READ)) {
          case Identity.Reach.EveryTeam every -> null;
          case Identity.Reach.Some some -> some.teams();
        };
    return Answer.ok(
        Paging.page(teams.list(visible, paging.after(), paging.limit()), TeamApi::view));
  }

  private Answer create(Call call) {
    Fields fields = call.json().only("name", "description");
    String name = Names.checked("name", fields.requiredText("name"));
    if (!teams.create(name, fields.text("description").orElse(""), clock.instant())) {
      throw Problem.conflict("There is a team '" + name + "' already.").exception();
    }
    return Answer.of(201, view(find(name))).with("Location", "/api/teams/" + name);
  }

  private Answer remove(Call call) {
    String name = call.path("name");
    return switch (teams.delete(name)) {
      case REMOVED -> Answer.nothing();
      case UNKNOWN -> throw Problem.notFound("team", name).exception();
      case IN_USE ->
          throw Problem.conflict(
                  "Team '"
                      + name
                      + "' still owns applications. Delete them or give them to"
                      + " another team first.")
              .exception();
    };
  }

  private Answer join(Call call) {
    Fields fields = call.json().only("user", "role");
    Team team = find(call.path("name"));
    String user = fields.requiredText("user");
    Role role = UserApi.role("role", fields.requiredText("role"));
    if (role.reachesAllTeams()) {
      throw Fields.wrongField(
          "role", role.text() + " holds for every team: change the user's roles, with team '*'");
    }
    if (!teams.join(team.name(), new TeamStore.Member(user, role))) {
      throw Fields.wrongField("user", "there is no user '" + user + "'");
    }
    return Answer.ok(view(find(team.name())));
  }

  private Answer leave(Call call) {
    String name = find(call.path("name")).name();
    String user = call.path("user");
    if (name.equals(Membership.EVERY_TEAM) || !teams.leave(name, user)) {
      throw Problem.notFound("member", user).exception();
    }
    return Answer.nothing();
  }

  private Team visible(Call call) {
    String name = call.path("name");
    call.touch("team", name, name);
    return find(name);
  }

  private Team find(String name) {
    return teams.find(name).orElseThrow(() -> Problem.notFound("team", name).exception());
  }

  private static Map<String, Object> view(Team team) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", team.name());
    out.put("description", team.description());
    out.put(
        "members",
        team.members().stream()
            .map(m -> Map.of("user", m.user(), "role", m.role().text()))
            .toList());
    out.put("createdAt", team.createdAt());
    return out;
  }
}
