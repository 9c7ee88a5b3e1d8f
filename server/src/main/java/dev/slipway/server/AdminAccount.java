package dev.slipway.server;

import dev.slipway.postgres.access.Accounts;
import dev.slipway.postgres.access.Credentials;
import dev.slipway.postgres.access.Membership;
import dev.slipway.postgres.access.Role;
import dev.slipway.postgres.access.TeamStore;
import dev.slipway.web.access.Tokens;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The first administrator's account. The token in the data directory belongs to it, so every user
 * that may read that directory can administer the server.
 */
record AdminAccount(
    Accounts accounts, TeamStore teams, Credentials credentials, Supplier<UUID> ids) {
  static final String NAME = "admin";
  static final String TEAM = "default";

  /** Creates the account, its team and the key of this token where they are missing. */
  void ensure(String token, String replica, Instant now) {
    teams.create(TEAM, "Where applications go that name no other team", now);
    accounts.create(
        NAME,
        "Administrator",
        null,
        List.of(new Membership(Membership.EVERY_TEAM, Role.ADMIN)),
        now);
    credentials.addApiKey(
        new Credentials.ApiKey(ids.get(), NAME, "admin-token of " + replica, now, null, null, null),
        Tokens.hash(token));
  }
}
