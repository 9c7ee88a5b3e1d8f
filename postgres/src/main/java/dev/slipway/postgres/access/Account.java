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

  /** Whether the account may sign in. */
  public enum Status {
    ENABLED,
    DISABLED
  }
}
