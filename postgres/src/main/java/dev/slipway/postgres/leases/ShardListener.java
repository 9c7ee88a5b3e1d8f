package dev.slipway.postgres.leases;

/**
 * Is called with the shards that this replica gains and loses. Calls are sequential on a thread of
 * the group, so a slow listener delays the hand-over of its own group and no renewal.
 */
public interface ShardListener {
  /** This replica now owns the shard: list its keys, because earlier changes were missed. */
  void gained(int shard, Lease lease);

  /**
   * This replica must stop working on the shard. A shard that is handed over is released when this
   * call has returned; a lost one may have another owner already.
   */
  void lost(int shard);
}
