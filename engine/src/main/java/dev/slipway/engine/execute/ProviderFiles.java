package dev.slipway.engine.execute;

import org.jspecify.annotations.Nullable;

/**
 * Where this machine has the files of what a run executes. A provider of a repository has its files
 * once per commit and on every machine elsewhere; a run keeps those of its own commit.
 */
public interface ProviderFiles {
  /** Directories that every machine has under the same name. */
  ProviderFiles LOCAL =
      new ProviderFiles() {
        @Override
        public @Nullable String directory(DefinitionSnapshot definition) {
          return definition.directory();
        }

        @Override
        public void ensure(DefinitionSnapshot definition) {
          // they are where they are
        }
      };

  /** The directory; null when it has no files. It need not exist yet. */
  @Nullable String directory(DefinitionSnapshot definition);

  /**
   * Makes the directory exist, which may take its time.
   *
   * @throws RuntimeException with a sentence when that is impossible now
   */
  void ensure(DefinitionSnapshot definition);
}
