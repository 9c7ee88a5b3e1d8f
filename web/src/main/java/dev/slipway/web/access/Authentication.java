package dev.slipway.web.access;

import dev.slipway.postgres.access.Credentials;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the account of a token. */
public final class Authentication {
  /** The cookie of a login session. */
  public static final String COOKIE = "slipway_session";

  private static final String BEARER = "Bearer ";
  private static final int LONGEST_TOKEN = 200;
  private static final int FINGERPRINT_BYTES = 6;

  private final Credentials credentials;
  private final InstantSource clock;

  public Authentication(Credentials credentials, InstantSource clock) {
    this.credentials = credentials;
    this.clock = clock;
  }

  /** The headers that may carry a token. */
  public record Headers(
      @Nullable String authorization, @Nullable String apiKey, @Nullable String cookie) {}

  /** The result of checking a token. */
  public sealed interface Result {
    /** The token is valid and belongs to this caller. */
    record Known(Identity identity) implements Result {}

    /**
     * The token is not valid. The fingerprint distinguishes tokens without containing any part of
     * them; the account is present when the token once belonged to one.
     */
    record Denied(String fingerprint, String reason, Optional<String> account) implements Result {}

    /** The request carried no token. */
    record Absent() implements Result {}
  }

  /** The caller that the headers identify; empty without a valid token. */
  public Optional<Identity> caller(Headers headers) {
    return switch (presented(headers)) {
      case null -> Optional.empty();
      case Presented token -> owner(token);
    };
  }

  /** The same, with the reason why a token is not valid. */
  public Result authenticate(Headers headers) {
    Presented token = presented(headers);
    if (token == null) {
      return new Result.Absent();
    }
    Optional<Identity> owner = owner(token);
    return owner.isPresent() ? new Result.Known(owner.get()) : denied(token);
  }

  private record Presented(String token, Identity.Means means) {
    boolean plausible() {
      return !token.isEmpty() && token.length() <= LONGEST_TOKEN;
    }
  }

  private static @Nullable Presented presented(Headers headers) {
    String authorization = headers.authorization();
    if (authorization != null) {
      boolean bearer = authorization.regionMatches(true, 0, BEARER, 0, BEARER.length());
      String token = bearer ? authorization.substring(BEARER.length()) : "";
      return new Presented(token.strip(), Identity.Means.BEARER);
    }
    if (headers.apiKey() != null) {
      return new Presented(headers.apiKey().strip(), Identity.Means.BEARER);
    }
    return headers.cookie() == null ? null : new Presented(headers.cookie(), Identity.Means.COOKIE);
  }

  private Optional<Identity> owner(Presented presented) {
    if (!presented.plausible()) {
      return Optional.empty();
    }
    byte[] hash = Tokens.hash(presented.token());
    Optional<Credentials.Owner> owner =
        presented.token().startsWith(Tokens.SESSION)
            ? credentials.sessionOwner(hash, clock.instant())
            : credentials.apiKeyOwner(hash, clock.instant());
    return owner
        .filter(found -> MessageDigest.isEqual(found.hash(), hash))
        .map(found -> new Identity(found.account(), presented.means()));
  }

  private Result denied(Presented presented) {
    byte[] hash = Tokens.hash(presented.token());
    String fingerprint = HexFormat.of().formatHex(hash, 0, FINGERPRINT_BYTES);
    Optional<Credentials.Denied> denied =
        presented.plausible() ? credentials.denied(hash) : Optional.empty();
    String reason =
        denied
            .map(known -> known.reason().name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .orElse("unknown");
    return new Result.Denied(fingerprint, reason, denied.map(Credentials.Denied::user));
  }
}
