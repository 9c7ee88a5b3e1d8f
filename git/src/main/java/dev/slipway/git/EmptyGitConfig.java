package dev.slipway.git;

import java.io.File;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.jspecify.annotations.Nullable;

/** An empty configuration that is never read or saved. */
final class EmptyGitConfig extends FileBasedConfig {
  EmptyGitConfig(@Nullable Config parent, FS fs) {
    super(parent, new File(Isolation.NO_HOME, "gitconfig"), fs);
  }

  @Override
  public void load() {
    // nothing to read
  }

  @Override
  public void save() {
    // nothing to save
  }

  @Override
  public boolean isOutdated() {
    return false;
  }
}
