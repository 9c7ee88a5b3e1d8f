package dev.slipway.cli;

/** What scripts can rely on. */
enum ExitCode {
  OK(0),
  FAILED(1),
  CHANGES(2),
  WAITING_FOR_APPROVAL(3),
  TIMEOUT(4),
  CONFLICT(5),
  USAGE(64),
  INTERRUPTED(130);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
