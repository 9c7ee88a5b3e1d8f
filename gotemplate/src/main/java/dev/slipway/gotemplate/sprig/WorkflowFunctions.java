package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Functions;

/**
 * What workflows may call: sprig without anything random, {@code now} on the clock of the settings,
 * which a run fixes, and {@code toYaml}.
 */
public final class WorkflowFunctions {
  private static final Functions ALL =
      Sprig.pure().plus(Sprig.withSettingsClock()).plus(Sprig.yaml());

  private WorkflowFunctions() {}

  public static Functions all() {
    return ALL;
  }
}
