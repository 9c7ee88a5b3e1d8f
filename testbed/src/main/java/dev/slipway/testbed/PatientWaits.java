package dev.slipway.testbed;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * A wait without a limit of its own lasts a minute before it fails, in every test JVM: the ten
 * seconds of the library are too short beside other builds on a small machine.
 */
public final class PatientWaits implements LauncherSessionListener {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultTimeout(LIMIT);
  }
}
