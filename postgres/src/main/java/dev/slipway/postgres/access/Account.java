package dev.slipway.postgres.access;

import java.time.Instant;
import java.util.List;

/** A person or a program that may sign in. */
public record Account(
    String name,
    String displayName,
    Status status,
    boolean hasPassword,
    List<Membership> memberships,
    long version,
    Instant createdAt) {

  /** Whether it may sign in at all. */
  public enum Status {
    ENABLED,
    DISABLED
  }
}
