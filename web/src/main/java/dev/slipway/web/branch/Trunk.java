package dev.slipway.web.branch;

import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.workflow.StepTypes;
import dev.slipway.postgres.access.AuditLog;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.leases.Leases;
import dev.slipway.postgres.runs.PostgresRuns;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Supplier;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * What a branch stands on.
 *
 * @param jdbi the one database; a transaction of a branch may write its own tables, signals, events
 *     and runs
 * @param leases for work that one replica at a time does
 * @param registry the providers in force now
 * @param config the administrator's configuration in force now
 * @param stepTypes all of them, those of branches included
 * @param clock the database's time
 * @param ids UUID version 7
 * @param threads supervised: a thread that dies ends the server
 * @param failures counts what fails before a run begins
 * @param observer asks for samples of nodes of any branch
 */
public record Trunk(
    Jdbi jdbi,
    PostgresRuns runs,
    Notifications notifications,
    AuditLog audit,
    Leases leases,
    SecretBox box,
    Supplier<Registry> registry,
    Supplier<AdminConfig> config,
    StepTypes stepTypes,
    InstantSource clock,
    Supplier<UUID> ids,
    Threads threads,
    EarlyFailures failures,
    Observer observer) {
  /** Counts requests for a provider that fail before any run of theirs begins. */
  public interface EarlyFailures {
    void failed(@Nullable String provider, String type, String code);
  }
}
