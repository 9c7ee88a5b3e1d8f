package dev.slipway.web.branch;

/**
 * One vertical slice of the system, in two phases: what it is, known before anything runs, and what
 * it does, once a trunk is there.
 */
public interface Branch {
  /** What it is. Used without a database: for schemas, help, checks of documents and migrations. */
  Descriptor descriptor();

  /**
   * Begins to work on that trunk, whose database has this branch's tables. Called once for each
   * server; the server closes the answer before it closes the trunk.
   */
  OpenBranch open(Trunk trunk);
}
