package dev.slipway.engine.resolve;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Providers that live in repositories elsewhere. Whoever implements it fetches them in his own
 * time; what is asked here is answered from what is on this machine already.
 */
public interface RemoteSources {
  /** Knows no repositories. */
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
          // nobody remembers
        }
      };

  /** What is known of a source now. Never waits for a network. */
  Report look(ProviderSource source);

  /** Fetches now, and returns when that has worked or failed. */
  void refresh(ProviderSource source);

  /** This commit of it can be used: it is what to go back to, also after a restart. */
  void inService(ProviderSource source, String commit);

  /** The files of a commit; they never change. */
  record Copy(Path directory, String commit) {}

  /** Why a source could not be fetched at the last try, and what to do. */
  record Failure(String message, String hint) {}

  /**
   * What is known of a source.
   *
   * @param newest what its ref was at when it was fetched last
   * @param lastGood what was in service last
   * @param failure of the last try
   * @param warnings what somebody should look at although it works
   */
  record Report(
      Optional<Copy> newest,
      Optional<Copy> lastGood,
      Optional<Failure> failure,
      List<String> warnings,
      Optional<Instant> fetchedAt,
      Optional<Instant> nextPoll) {}
}
