package dev.slipway.applications.store;

import dev.slipway.web.branch.Chore;

/** Gives a look to resources without one, which a replica of the release before has moved. */
public final class MissingLooks implements Chore.Piece {
  private final ApplicationContext context;

  public MissingLooks(ApplicationContext context) {
    this.context = context;
  }

  @Override
  public boolean next() {
    return context.transaction(h -> LookQueue.complete(h, context.now())) > 0;
  }
}
