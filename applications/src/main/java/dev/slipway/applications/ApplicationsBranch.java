package dev.slipway.applications;

import dev.slipway.applications.api.ApplicationKinds;
import dev.slipway.applications.store.ApplicationEvents;
import dev.slipway.applications.store.SealedRows;
import dev.slipway.web.branch.Branch;
import dev.slipway.web.branch.Descriptor;
import dev.slipway.web.branch.OpenBranch;
import dev.slipway.web.branch.Trunk;
import dev.slipway.web.kind.Kind;
import java.util.Objects;

/** Score documents, and what is made of them. */
public final class ApplicationsBranch implements Branch {
  private static final String SCHEMAS = "schemas.yaml";

  @Override
  public Descriptor descriptor() {
    return Descriptor.named("applications")
        .kinds(ApplicationKinds.rows().toArray(Kind[]::new))
        .schemas(
            Objects.requireNonNull(ApplicationsBranch.class.getResource(SCHEMAS), SCHEMAS),
            ApplicationEvents.contract())
        .sealing(SealedRows.ALL)
        .withTables();
  }

  @Override
  public OpenBranch open(Trunk trunk) {
    return new OpenApplications(trunk);
  }
}
