package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.EarlyClaims;
import java.util.Optional;
import org.jdbi.v3.core.config.JdbiConfig;
import org.jspecify.annotations.Nullable;

/**
 * Where transactions of a database find the dispatcher of this replica. Public because Jdbi
 * instantiates it.
 */
public final class LocalClaims implements JdbiConfig<LocalClaims> {
  private volatile @Nullable EarlyClaims claims;

  void use(EarlyClaims ofThisReplica) {
    claims = ofThisReplica;
  }

  /** Room for new runs; none on a replica that works on no runs. */
  Optional<EarlyClaims.Reservation> reserve(int runs) {
    EarlyClaims known = claims;
    return known == null ? Optional.empty() : known.reserve(runs);
  }

  @Override
  public LocalClaims createCopy() {
    LocalClaims copy = new LocalClaims();
    copy.claims = claims;
    return copy;
  }
}
