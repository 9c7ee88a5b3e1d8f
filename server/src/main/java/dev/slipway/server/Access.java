package dev.slipway.server;

import dev.slipway.postgres.Database;
import dev.slipway.postgres.access.Accounts;
import dev.slipway.postgres.access.Credentials;
import dev.slipway.postgres.access.TeamStore;
import dev.slipway.postgres.environments.Occupant;
import dev.slipway.server.api.Passwords;
import dev.slipway.web.access.Tokens;
import java.util.List;

/** Accounts and what proves them; the first administrator among them. */
record Access(
    Accounts accounts,
    TeamStore teams,
    Credentials credentials,
    Passwords passwords,
    Tokens tokens) {
  static Access of(Foundation foundation, List<Occupant> occupants) {
    Database database = foundation.database();
    Access access =
        new Access(
            new Accounts(database.jdbi()),
            new TeamStore(
                database.jdbi(), occupants.stream().<TeamStore.Owned>map(o -> o::owns).toList()),
            new Credentials(database.jdbi()),
            new Passwords(foundation.random()),
            new Tokens(foundation.random()));
    DataDirectory data = foundation.data();
    new AdminAccount(access.accounts(), access.teams(), access.credentials(), foundation.ids())
        .ensure(data.adminToken(access.tokens()), data.replica(), foundation.clock().instant());
    return access;
  }
}
