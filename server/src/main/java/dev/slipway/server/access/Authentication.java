package dev.slipway.server.access;

import dev.slipway.postgres.access.Credentials;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** From a token to the caller. */
public final class Authentication {
  /** The cookie of a login session. */
  public static final String COOKIE = "slipway_session";

  private static final String BEARER = "Bearer ";
  private static final int LONGEST_TOKEN = 200;

  private final Credentials credentials;
  private final InstantSource clock;

  public Authentication(Credentials credentials, InstantSource clock) {
    this.credentials = credentials;
    this.clock = clock;
  }

  /** The caller that the headers of a request tell of; empty when they tell of nobody known. */
  public Optional<Identity> caller(
      @Nullable String authorization, @Nullable String apiKey, @Nullable String cookie) {
    if (authorization != null) {
      return authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
          ? owner(authorization.substring(BEARER.length()).strip(), Identity.Means.BEARER)
          : Optional.empty();
    }
    if (apiKey != null) {
      return owner(apiKey.strip(), Identity.Means.BEARER);
    }
    return cookie == null ? Optional.empty() : owner(cookie, Identity.Means.COOKIE);
  }

  private Optional<Identity> owner(String token, Identity.Means means) {
    if (token.isEmpty() || token.length() > LONGEST_TOKEN) {
      return Optional.empty();
    }
    byte[] hash = Tokens.hash(token);
    Optional<Credentials.Owner> owner =
        token.startsWith(Tokens.SESSION)
            ? credentials.sessionOwner(hash, clock.instant())
            : credentials.apiKeyOwner(hash, clock.instant());
    return owner
        .filter(found -> MessageDigest.isEqual(found.hash(), hash))
        .map(found -> new Identity(found.account(), means));
  }
}
