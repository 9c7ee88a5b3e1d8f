package dev.slipway.testbed;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Sets the default timeout of waits to one minute in every test JVM: the library's ten seconds are
 * too short on a small machine under load.
 */
public final class PatientWaits implements LauncherSessionListener {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultTimeout(LIMIT);
  }
}
