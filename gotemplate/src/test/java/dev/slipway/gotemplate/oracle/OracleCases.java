package dev.slipway.gotemplate.oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.slipway.gotemplate.Settings;
import java.util.List;

/** The oracle's data and settings for other packages. */
public final class OracleCases {
  private OracleCases() {}

  /** Reads JSON as the oracle does: integers stay exact. */
  public static Object data(String json) {
    try {
      return OracleCase.value(OracleCase.JSON.readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** The safe part of sprig at the oracle's moment. */
  public static Settings sprigSettings() {
    return Settings.DEFAULT.withClock(OracleCase.CLOCK).withFunctions(FunctionSets.named("sprig"));
  }

  /** Why the Java side differs from Go where it does. */
  public static List<String> knownDifferences() {
    return new KnownDifferences().reasons();
  }
}
