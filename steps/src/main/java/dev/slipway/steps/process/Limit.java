package dev.slipway.steps.process;

import dev.slipway.engine.intake.SizeText;

/** The resources of the machine that a step's use of is limited. */
public enum Limit {
  MEMORY("memory-limit", "of memory", "memory"),
  PROCESSES("process-limit", "processes and threads", "processes"),
  OUTPUT("output-limit", "of output", "output"),
  DISK("disk-limit", "of files in its private directory", "disk");

  /** The code of the error. */
  final String code;

  private final String what;

  /** The key below {@code engine.limits} of the configuration. */
  final String key;

  Limit(String code, String what, String key) {
    this.code = code;
    this.what = what;
    this.key = key;
  }

  /** An amount for people: 64 MiB of memory, 20 processes and threads. */
  String words(long amount) {
    return (this == PROCESSES ? String.valueOf(amount) : SizeText.print(amount)) + " " + what;
  }

  /** An amount as written in the configuration. */
  String amount(long amount) {
    return this == PROCESSES ? String.valueOf(amount) : SizeText.print(amount);
  }
}
