package dev.slipway.steps.job;

import java.util.List;
import java.util.Map;

/**
 * A program to run in a pod, in the paths of its container.
 *
 * @param directory where it starts
 * @param environment beside that of the image
 * @param files texts in {@link #WORK} by their names; {@code stdin} is its standard input
 * @param resultFile below {@link #WORK}: what it writes its outputs into
 */
public record JobProgram(
    List<String> command,
    String directory,
    Map<String, String> environment,
    Map<String, String> files,
    String resultFile) {
  /** The private directory of the program. */
  public static final String WORK = "/slipway/work";

  /** The files of the provider. */
  public static final String PROVIDER = "/slipway/provider";

  /** Where the pod finds what it needs. */
  static final String INPUT = "/slipway/input";
}
