package dev.slipway.server.api;

import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.post;

import dev.slipway.postgres.access.Accounts;
import dev.slipway.postgres.access.Credentials;
import dev.slipway.postgres.access.LoginLimits;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Fields;
import dev.slipway.web.Problem;
import dev.slipway.web.PublicAddress;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import dev.slipway.web.access.Authentication;
import dev.slipway.web.access.Identity;
import dev.slipway.web.access.Tokens;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Sign in, sign out, and the caller's own account. */
public final class SignInApi {
  private static final Duration SESSION = Duration.ofHours(12);

  private final Accounts accounts;
  private final Credentials credentials;
  private final LoginLimits limits;
  private final Passwords passwords;
  private final Tokens tokens;
  private final Supplier<UUID> ids;
  private final PublicAddress address;
  private final InstantSource clock;

  /** Stores of accounts and credentials. */
  public record Stores(Accounts accounts, Credentials credentials, LoginLimits limits) {}

  public SignInApi(
      Stores stores,
      Passwords passwords,
      Tokens tokens,
      Supplier<UUID> ids,
      PublicAddress address,
      InstantSource clock) {
    this.accounts = stores.accounts();
    this.credentials = stores.credentials();
    this.limits = stores.limits();
    this.passwords = passwords;
    this.tokens = tokens;
    this.ids = ids;
    this.address = address;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(
        post("/api/login")
            .open()
            .named("login", "Sign in with a password: a token, also set as an HttpOnly cookie")
            .takes(Route.Content.JSON, "Login")
            .gives(200, "signed in", "Session")
            .in(Route.Lane.SIGN_IN)
            .by(this::login),
        post("/api/logout")
            .signedIn()
            .named("logout", "End the login session that the request was made with")
            .givesNothing(204, "signed out")
            .in(Route.Lane.RELIEF)
            .by(this::logout),
        get("/api/auth/whoami")
            .signedIn()
            .named("whoami", "Who is calling, and what they may do")
            .gives(200, "the caller", "Identity")
            .by(call -> Answer.ok(identity(call.caller()))));
  }

  private Answer login(Call call) throws Exception {
    Fields fields = call.json().only("username", "password");
    String user = fields.requiredText("username");
    String password = fields.requiredText("password");
    Instant now = clock.instant();
    Optional<String> hash = accounts.passwordHash(user);
    // A name of no account may be a password typed into the wrong field, so it is not recorded.
    hash.ifPresentOrElse(known -> call.actedBy(user), call::actedByUnknown);
    LoginLimits.Attempt attempt = new LoginLimits.Attempt(user, call.address());
    Optional<Duration> wait = limits.begin(attempt, now);
    if (wait.isPresent()) {
      throw Problem.slowDown(
              "Too many failed logins. Try again in " + (wait.get().toSeconds() + 1) + " s.",
              wait.get().toSeconds() + 1)
          .exception();
    }
    boolean right =
        password.length() <= Passwords.LONGEST
            && (hash.isPresent()
                ? passwords.matches(password, hash.get())
                : passwords.matchesNoAccount(password));
    if (!right) {
      throw Problem.of(401, "unauthorized", "Sign in first", "User name or password is wrong.")
          .exception();
    }
    return call.recorded(
        () -> {
          limits.succeeded(attempt, now);
          return session(call, user, now);
        });
  }

  private Answer session(Call call, String user, Instant now) {
    String token = tokens.create(Tokens.SESSION);
    Instant expires = now.plus(SESSION);
    credentials.addSession(ids.get(), user, Tokens.hash(token), now, expires);
    Map<String, Object> session = new LinkedHashMap<>();
    session.put("token", token);
    session.put("user", user);
    session.put("expiresAt", expires);
    return Answer.ok(session).with("Set-Cookie", cookie(call, token, SESSION));
  }

  private Answer logout(Call call) {
    call.header("Authorization")
        .map(value -> value.replaceFirst("(?i)^bearer\\s+", ""))
        .or(() -> call.cookie(Authentication.COOKIE))
        .ifPresent(token -> credentials.endSession(Tokens.hash(token)));
    return Answer.nothing().with("Set-Cookie", cookie(call, "", Duration.ZERO));
  }

  private String cookie(Call call, String token, Duration age) {
    return Authentication.COOKIE
        + "="
        + token
        + "; Path=/; HttpOnly; SameSite=Strict; Max-Age="
        + age.toSeconds()
        + (call.encrypted(address) ? "; Secure" : "");
  }

  private static Map<String, Object> identity(Identity caller) {
    Map<String, Object> out = new LinkedHashMap<>(UserApi.view(caller.account()));
    Map<String, Object> permissions = new LinkedHashMap<>();
    for (Action action : Action.values()) {
      permissions.put(
          action.name().toLowerCase(Locale.ROOT),
          switch (caller.reach(action)) {
            case Identity.Reach.EveryTeam every -> List.of("*");
            case Identity.Reach.Some some -> some.teams().stream().sorted().toList();
          });
    }
    out.put("permissions", permissions);
    return out;
  }
}
