package dev.slipway.server.api;

import static dev.slipway.web.Route.delete;
import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.patch;
import static dev.slipway.web.Route.post;

import dev.slipway.postgres.access.Account;
import dev.slipway.postgres.access.Accounts;
import dev.slipway.postgres.access.Membership;
import dev.slipway.postgres.access.Role;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Fields;
import dev.slipway.web.Names;
import dev.slipway.web.Paging;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Accounts, for administrators. */
public record UserApi(Accounts accounts, Passwords passwords, InstantSource clock) {
  public List<Route> routes() {
    return List.of(
        get("/api/admin/users")
            .needs(Action.ADMINISTER)
            .named("listUsers", "All accounts by name")
            .paged()
            .gives(200, "a piece of the list", "User[]")
            .by(this::list),
        post("/api/admin/users")
            .needs(Action.ADMINISTER)
            .named("createUser", "Make an account")
            .takes(Route.Content.JSON, "NewUser")
            .gives(201, "made", "User")
            .is(Route.Trait.IDEMPOTENT)
            .by(this::create),
        get("/api/admin/users/{name}")
            .needs(Action.ADMINISTER)
            .named("showUser", "One account")
            .gives(200, "the account", "User")
            .by(call -> answer(200, find(call.path("name")))),
        patch("/api/admin/users/{name}")
            .needs(Action.ADMINISTER)
            .named("changeUser", "Change an account: name, password, roles, disabled")
            .takes(Route.Content.JSON, "UserChange")
            .gives(200, "as it is now", "User")
            .is(Route.Trait.VERSIONED)
            .by(this::change),
        delete("/api/admin/users/{name}")
            .needs(Action.ADMINISTER)
            .named("deleteUser", "Remove an account with its keys and sessions")
            .givesNothing(204, "removed")
            .is(Route.Trait.VERSIONED)
            .by(this::remove));
  }

  private Answer list(Call call) {
    Paging paging = Paging.of(call);
    return Answer.ok(Paging.page(accounts.list(paging.after(), paging.limit()), UserApi::view));
  }

  private Answer create(Call call) {
    Fields fields = call.json().only("name", "displayName", "password", "roles");
    String name = Names.checked("name", fields.requiredText("name"));
    String hash = fields.text("password").map(this::hash).orElse(null);
    List<Membership> roles = fields.list("roles").map(UserApi::memberships).orElse(List.of());
    String displayName = fields.text("displayName").orElse("");
    if (accounts.create(name, displayName, hash, roles, clock.instant())
        == Accounts.Creation.TAKEN) {
      throw Problem.conflict("There is a user '" + name + "' already.").exception();
    }
    return answer(201, find(name)).with("Location", "/api/admin/users/" + name);
  }

  private Answer change(Call call) {
    Fields fields = call.json().only("displayName", "password", "roles", "disabled");
    String name = call.path("name");
    Account account = find(name);
    call.expect(account.version());
    List<Membership> roles = fields.list("roles").map(UserApi::memberships).orElse(null);
    Optional<Boolean> disabled = fields.flag("disabled");
    boolean losesOwnPower =
        name.equals(call.caller().name())
            && (disabled.orElse(false)
                || roles != null && roles.stream().noneMatch(m -> m.role() == Role.ADMIN));
    if (losesOwnPower) {
      throw Problem.conflict(
              "You cannot take your own administration away. Let another administrator do it.")
          .exception();
    }
    Accounts.Change wanted =
        new Accounts.Change(
            fields.text("displayName").orElse(null),
            disabled
                .map(off -> off ? Account.Status.DISABLED : Account.Status.ENABLED)
                .orElse(null),
            fields.text("password").map(this::hash).orElse(null),
            roles);
    return accounts
        .change(name, account.version(), wanted)
        .map(changed -> answer(200, changed))
        .orElseThrow(
            () ->
                Problem.stale("User '" + name + "' was changed at the same time. Try again.")
                    .exception());
  }

  private Answer remove(Call call) {
    String name = call.path("name");
    call.expect(find(name).version());
    if (name.equals(call.caller().name())) {
      throw Problem.conflict("You cannot remove your own account.").exception();
    }
    accounts.delete(name);
    return Answer.nothing();
  }

  private Account find(String name) {
    return accounts.find(name).orElseThrow(() -> Problem.notFound("user", name).exception());
  }

  private String hash(String password) {
    if (password.length() < Passwords.SHORTEST || password.length() > Passwords.LONGEST) {
      throw Fields.wrongField(
          "password",
          "a password has " + Passwords.SHORTEST + " to " + Passwords.LONGEST + " characters");
    }
    return passwords.hash(password);
  }

  private static List<Membership> memberships(List<Object> elements) {
    List<Membership> out = new ArrayList<>();
    for (int i = 0; i < elements.size(); i++) {
      Fields fields = Fields.of("roles[" + i + "]", elements.get(i)).only("team", "role");
      Role role = role("roles[" + i + "].role", fields.requiredText("role"));
      String team = fields.text("team").orElse(Membership.EVERY_TEAM);
      if (!team.equals(Membership.EVERY_TEAM)) {
        Names.checked("roles[" + i + "].team", team);
        if (role.reachesAllTeams()) {
          throw Fields.wrongField(
              "roles[" + i + "].team", role.text() + " holds for every team; write team '*'");
        }
      }
      out.add(new Membership(team, role));
    }
    return out;
  }

  static Role role(String field, String text) {
    return Role.named(text)
        .orElseThrow(
            () ->
                Fields.wrongField(
                    field,
                    "is viewer, developer, approver, operator or admin, not '" + text + "'"));
  }

  private static Answer answer(int status, Account account) {
    return Answer.of(status, view(account)).version(account.version());
  }

  static Map<String, Object> view(Account account) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", account.name());
    out.put("displayName", account.displayName());
    out.put("disabled", account.status() == Account.Status.DISABLED);
    out.put("hasPassword", account.hasPassword());
    out.put(
        "roles",
        account.memberships().stream()
            .map(m -> Map.of("team", m.team(), "role", m.role().text()))
            .toList());
    out.put("createdAt", account.createdAt());
    return out;
  }
}
