package dev.slipway.server;

import dev.slipway.applications.ApplicationsBranch;
import dev.slipway.web.branch.Branches;
import java.util.List;

/** The branches of this server: the one place that names them. */
final class BranchList {
  static final Branches ALL = new Branches(List.of(new ApplicationsBranch()));

  private BranchList() {}
}
