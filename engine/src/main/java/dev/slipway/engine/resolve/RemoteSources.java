package dev.slipway.engine.resolve;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Providers in remote repositories. Implementations fetch in the background; {@link #look} answers
 * from the local copies.
 */
public interface RemoteSources {
  /** Without repositories. */
  RemoteSources NONE =
      new RemoteSources() {
        @Override
        public Report look(ProviderSource source) {
          return new Report(
              Optional.empty(),
              Optional.empty(),
              Optional.of(
                  new Failure("providers from Git cannot be fetched here", "Use a directory.")),
              List.of(),
              Optional.empty(),
              Optional.empty());
        }

        @Override
        public void refresh(ProviderSource source) {
          // there is nothing to fetch
        }

        @Override
        public void inService(ProviderSource source, String commit) {
          // there is nothing to record
        }
      };

  /** The present state of a source. Never waits for a network. */
  Report look(ProviderSource source);

  /** Fetches now, and returns when that has worked or failed. */
  void refresh(ProviderSource source);

  /** Records a usable commit, to return to after a bad one, also after a restart. */
  void inService(ProviderSource source, String commit);

  /** The files of a commit; they never change. */
  record Copy(Path directory, String commit) {}

  /** Why a source could not be fetched at the last try, and what to do. */
  record Failure(String message, String hint) {}

  /**
   * The state of a source.
   *
   * @param newest what its ref was at when it was fetched last
   * @param lastGood what was in service last
   * @param failure of the last try
   * @param warnings problems that do not keep the source from service
   */
  record Report(
      Optional<Copy> newest,
      Optional<Copy> lastGood,
      Optional<Failure> failure,
      List<String> warnings,
      Optional<Instant> fetchedAt,
      Optional<Instant> nextPoll) {}
}
