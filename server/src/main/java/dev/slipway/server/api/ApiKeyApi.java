package dev.slipway.server.api;

import static dev.slipway.web.Route.delete;
import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.post;

import dev.slipway.engine.intake.DurationText;
import dev.slipway.postgres.access.Account;
import dev.slipway.postgres.access.Accounts;
import dev.slipway.postgres.access.Credentials;
import dev.slipway.postgres.access.Credentials.ApiKey;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Fields;
import dev.slipway.web.Paging;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import dev.slipway.web.access.Tokens;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** API keys of the caller, and for administrators those of every account. */
public record ApiKeyApi(
    Accounts accounts,
    Credentials credentials,
    Tokens tokens,
    Supplier<UUID> ids,
    InstantSource clock) {
  private static final int LONGEST_NAME = 100;

  public List<Route> routes() {
    return List.of(
        get("/api/profile/api-keys")
            .signedIn()
            .named("listApiKeys", "The caller's API keys, newest first; never the tokens")
            .paged()
            .gives(200, "a piece of the list", "ApiKey[]")
            .by(call -> list(call, call.caller().name())),
        post("/api/profile/api-keys")
            .signedIn()
            .named("createApiKey", "Make an API key; its token is shown this once")
            .takes(Route.Content.JSON, "NewApiKey")
            .gives(201, "made", "CreatedApiKey")
            .is(Route.Trait.IDEMPOTENT)
            .by(call -> create(call, call.caller().name())),
        delete("/api/profile/api-keys/{id}")
            .signedIn()
            .named("revokeApiKey", "End an API key for good")
            .givesNothing(204, "it no longer works")
            .in(Route.Lane.RELIEF)
            .by(call -> revoke(call, call.caller().name())),
        post("/api/admin/users/{name}/api-keys")
            .needs(Action.ADMINISTER)
            .named("createApiKeyFor", "Make an API key for another account, such as a program's")
            .takes(Route.Content.JSON, "NewApiKey")
            .gives(201, "made", "CreatedApiKey")
            .is(Route.Trait.IDEMPOTENT)
            .by(call -> create(call, accountOf(call))),
        get("/api/admin/users/{name}/api-keys")
            .needs(Action.ADMINISTER)
            .named("listApiKeysOf", "The API keys of an account")
            .paged()
            .gives(200, "a piece of the list", "ApiKey[]")
            .by(call -> list(call, accountOf(call))),
        delete("/api/admin/users/{name}/api-keys/{id}")
            .needs(Action.ADMINISTER)
            .named("revokeApiKeyOf", "End an API key of an account")
            .givesNothing(204, "it no longer works")
            .in(Route.Lane.RELIEF)
            .by(call -> revoke(call, accountOf(call))));
  }

  private String accountOf(Call call) {
    String name = call.path("name");
    return accounts
        .find(name)
        .map(Account::name)
        .orElseThrow(() -> Problem.notFound("user", name).exception());
  }

  private Answer list(Call call, String user) {
    Paging paging = Paging.of(call);
    return Answer.ok(
        Paging.page(credentials.apiKeys(user, paging.afterId(), paging.limit()), ApiKeyApi::view));
  }

  private Answer create(Call call, String user) {
    Fields fields = call.json().only("name", "expiresIn");
    String name = fields.requiredText("name");
    if (name.length() > LONGEST_NAME) {
      throw Fields.wrongField("name", "has at most " + LONGEST_NAME + " characters");
    }
    Instant now = clock.instant();
    Instant expires =
        fields
            .text("expiresIn")
            .map(
                text ->
                    DurationText.parse(text)
                        .filter(Duration::isPositive)
                        .map(now::plus)
                        .orElseThrow(
                            () -> Fields.wrongField("expiresIn", "is a duration such as 30d")))
            .orElse(null);
    String token = tokens.create(Tokens.API_KEY);
    ApiKey key = new ApiKey(ids.get(), user, name, now, expires, null, null);
    credentials.addApiKey(key, Tokens.hash(token));
    Map<String, Object> out = new LinkedHashMap<>(view(key));
    out.put("token", token);
    return Answer.of(201, out).with("Location", "/api/profile/api-keys/" + key.id());
  }

  private Answer revoke(Call call, String user) {
    UUID id = call.id("id", "API key");
    if (!credentials.revokeApiKey(user, id, clock.instant())) {
      throw Problem.notFound("API key", id.toString()).exception();
    }
    return Answer.nothing();
  }

  private static Map<String, Object> view(ApiKey key) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("id", key.id());
    out.put("name", key.name());
    out.put("createdAt", key.createdAt());
    putIfThere(out, "expiresAt", key.expiresAt());
    putIfThere(out, "lastUsedAt", key.lastUsedAt());
    putIfThere(out, "revokedAt", key.revokedAt());
    return out;
  }

  private static void putIfThere(Map<String, Object> out, String name, @Nullable Instant at) {
    if (at != null) {
      out.put(name, at);
    }
  }
}
