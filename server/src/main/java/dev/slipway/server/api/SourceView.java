package dev.slipway.server.api;

import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.resolve.ProviderSource.Location;
import dev.slipway.engine.resolve.RemoteSources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A provider source in a Git repository as the API shows it: address, fetched commit, last error.
 */
record SourceView(RemoteSources remote) {
  Optional<Map<String, Object>> of(ProviderSource source) {
    return source.location() instanceof Location.Git git
        ? Optional.of(view(source, git))
        : Optional.empty();
  }

  /** All sources in repositories, loaded or not. */
  List<Map<String, Object>> all(List<ProviderSource> sources) {
    return sources.stream().flatMap(s -> of(s).stream()).toList();
  }

  private Map<String, Object> view(ProviderSource source, Location.Git git) {
    RemoteSources.Report report = remote.look(source);
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("source", source.label());
    if (source.name() != null) {
      out.put("name", source.name());
    }
    out.put("url", git.url());
    out.put("ref", git.ref());
    out.put("kind", git.kind().name().toLowerCase(Locale.ROOT));
    out.put("path", git.path());
    report.newest().ifPresent(copy -> out.put("commit", copy.commit()));
    report.fetchedAt().ifPresent(at -> out.put("fetchedAt", at));
    report.nextPoll().ifPresent(at -> out.put("nextPoll", at));
    report
        .failure()
        .ifPresent(f -> out.put("error", Map.of("message", f.message(), "hint", f.hint())));
    out.put("warnings", report.warnings());
    return out;
  }
}
