package dev.slipway.postgres.embedded;

import java.util.List;
import java.util.stream.Stream;

/** The purpose of an embedded server, and its settings. */
public enum Purpose {
  /**
   * The state database. Slipway logs in as superuser, so no other role of this server can take the
   * connections reserved for superusers.
   */
  STATE(
      "embedded PostgreSQL",
      List.of(
          "cluster_name=slipway",
          "max_connections=100",
          "superuser_reserved_connections=40",
          "shared_buffers=64MB",
          "wal_buffers=4MB",
          "max_wal_size=1GB")),
  /**
   * Databases of workloads. Their roles share all connections but the reserved ones: the first ten
   * for the login of sql steps, five for superusers. An error is logged without its context, which
   * could show a statement with a password.
   */
  WORKLOADS(
      "PostgreSQL for workloads",
      List.of(
          "cluster_name=slipway-workloads",
          "max_connections=200",
          "superuser_reserved_connections=5",
          "reserved_connections=10",
          "shared_buffers=32MB",
          "wal_buffers=1MB",
          "max_wal_size=256MB",
          "temp_file_limit=1GB",
          "io_method=sync",
          "log_error_verbosity=terse"));

  /** Durable settings; otherwise small, because the machine has other work. */
  private static final List<String> ALL =
      List.of(
          "listen_addresses=127.0.0.1",
          "unix_socket_directories=",
          "fsync=on",
          "synchronous_commit=on",
          "full_page_writes=on",
          "checkpoint_completion_target=0.9",
          "wal_compression=on",
          "log_min_messages=warning",
          "log_min_error_statement=panic");

  private final String label;
  private final List<String> own;

  Purpose(String label, List<String> own) {
    this.label = label;
    this.own = own;
  }

  /** The name of the server in messages. */
  String label() {
    return label;
  }

  List<String> settings() {
    return Stream.concat(ALL.stream(), own.stream()).toList();
  }
}
