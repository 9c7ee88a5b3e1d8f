package dev.slipway.git;

import java.io.File;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/**
 * Isolates JGit from the Git configuration, environment, netrc and keys of this machine: a
 * provider's repository must not be accessed with the identity of the server's operating system
 * user.
 */
final class Isolation extends SystemReader.Delegate {
  static final File NO_HOME = new File("/nonexistent");
  private static volatile boolean installed;

  private Isolation(SystemReader system) {
    super(system);
  }

  /** Installs the isolation in this process. */
  static synchronized void ensure() {
    if (!installed) {
      SystemReader.setInstance(new Isolation(SystemReader.getInstance()));
      FS.DETECTED.setUserHome(NO_HOME);
      installed = true;
    }
  }

  /** A file system without a home directory. */
  static FS files() {
    ensure();
    return FS.DETECTED.newInstance().setUserHome(NO_HOME);
  }

  static File home() {
    return NO_HOME;
  }

  @Override
  public @Nullable String getenv(String variable) {
    return null;
  }

  @Override
  public @Nullable String getProperty(String key) {
    return key.equals("user.home") ? NO_HOME.getPath() : super.getProperty(key);
  }

  @Override
  public FileBasedConfig openUserConfig(@Nullable Config parent, FS fs) {
    return new EmptyGitConfig(parent, fs);
  }

  @Override
  public FileBasedConfig openSystemConfig(@Nullable Config parent, FS fs) {
    return new EmptyGitConfig(parent, fs);
  }

  @Override
  public FileBasedConfig openJGitConfig(@Nullable Config parent, FS fs) {
    return new EmptyGitConfig(parent, fs);
  }
}
