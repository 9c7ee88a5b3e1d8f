package dev.slipway.server.api;

import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.post;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.ProviderProblem;
import dev.slipway.engine.resolve.ProviderSheet;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.resolve.RemoteSources;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Lists;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Loaded providers, and for operators also those that failed to load. */
public final class ProviderApi {
  private final Supplier<Registry> registry;
  private final Supplier<Registry> reload;
  private final Supplier<List<ProviderSource>> sources;
  private final RemoteSources remote;
  private final SourceView sourceView;

  /** {@code reload} loads all providers again; {@code sources} are the configured ones. */
  public ProviderApi(
      Supplier<Registry> registry,
      Supplier<Registry> reload,
      Supplier<List<ProviderSource>> sources,
      RemoteSources remote) {
    this.registry = registry;
    this.reload = reload;
    this.sources = sources;
    this.remote = remote;
    this.sourceView = new SourceView(remote);
  }

  public List<Route> routes() {
    return List.of(
        get("/api/providers")
            .needs(Action.READ)
            .named("listProviders", "Providers in service")
            .paged()
            .gives(200, "a piece of the list", "Provider[]")
            .by(
                call ->
                    Lists.piece(
                        call,
                        registry.get().providers().stream().map(ProviderViews::view).toList())),
        get("/api/providers/stats")
            .needs(Action.READ)
            .named("providerStats", "How many providers, types, workflows and conflicts")
            .gives(200, "counts", "ProviderStats")
            .by(call -> Answer.ok(ProviderViews.stats(registry.get()))),
        get("/api/providers/{name}")
            .needs(Action.READ)
            .named(
                "showProvider", "One provider: types, operations, parameters, outputs, conflicts")
            .gives(200, "the provider", "ProviderDetail")
            .by(call -> Answer.ok(sheet(find(call), registry.get()))),
        post("/api/providers/{name}/refresh")
            .needs(Action.OPERATE)
            .named("refreshProvider", "Load a provider anew")
            .gives(200, "as it is now", "Provider")
            .in(Route.Lane.OUTSIDE)
            .by(this::refresh),
        get("/api/admin/providers")
            .needs(Action.OPERATE)
            .named("adminProviders", "Providers, conflicts and what could not be loaded")
            .gives(200, "everything about them", "ProviderReport")
            .by(call -> Answer.ok(adminReport())));
  }

  private Map<String, Object> adminReport() {
    Map<String, Object> out = ProviderViews.report(registry.get());
    out.put("sources", sourceView.all(sources.get()));
    return out;
  }

  private Map<String, Object> detailed(Provider provider) {
    Map<String, Object> out = ProviderViews.view(provider);
    sourceView.of(provider.source()).ifPresent(git -> out.put("git", git));
    return out;
  }

  /** Fetches a provider's repository first; also for a provider that was never loaded. */
  private Answer refresh(Call call) {
    String name = call.path("name");
    ProviderSource source =
        source(name).orElseThrow(() -> Problem.notFound("provider", name).exception());
    if (source.location() instanceof ProviderSource.Location.Git) {
      remote.refresh(source);
    }
    return reload.get().providers().stream()
        .filter(p -> p.source().equals(source))
        .findFirst()
        .map(p -> Answer.ok(detailed(p)))
        .orElseThrow(() -> notLoaded(name, source).exception());
  }

  private Optional<ProviderSource> source(String name) {
    Optional<Provider> loaded = registry.get().provider(name);
    if (loaded.isPresent()) {
      return loaded.map(Provider::source);
    }
    List<String> labels =
        registry.get().problems().stream()
            .filter(p -> p.provider().equals(name))
            .map(ProviderProblem::source)
            .toList();
    return sources.get().stream()
        .filter(s -> name.equals(s.name()) || labels.contains(s.label()))
        .findFirst();
  }

  private Problem notLoaded(String name, ProviderSource source) {
    List<Diagnostic> why =
        registry.get().problems().stream()
            .filter(p -> p.source().equals(source.label()))
            .flatMap(p -> p.diagnostics().stream())
            .toList();
    String detail = why.isEmpty() ? "See /api/admin/providers." : why.getFirst().message();
    return Problem.of(
            409, "provider-not-loaded", "The provider cannot be loaded", name + ": " + detail)
        .withErrors(why.stream().map(AdminApi::fault).toList());
  }

  private Provider find(Call call) {
    String name = call.path("name");
    return registry
        .get()
        .provider(name)
        .orElseThrow(() -> Problem.notFound("provider", name).exception());
  }

  private Map<String, Object> sheet(Provider provider, Registry registry) {
    Map<String, Object> out = new LinkedHashMap<>(detailed(provider));
    out.put("compatibility", ProviderSheet.compatibility(provider.manifest()));
    out.put("types", ProviderSheet.types(provider));
    out.put("workflows", ProviderSheet.workflows(provider));
    out.put(
        "conflicts",
        registry.conflicts().stream()
            .filter(c -> c.claimants().stream().anyMatch(k -> k.provider().equals(provider.name())))
            .map(ProviderViews::conflict)
            .toList());
    out.put(
        "problems",
        registry.problems().stream()
            .filter(p -> p.provider().equals(provider.name()))
            .map(ProviderViews::problem)
            .toList());
    return out;
  }
}
