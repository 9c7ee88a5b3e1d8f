package dev.slipway.engine.execute;

import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.workflow.Workflow;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a run executes, as it is stored with it: enough to run it again years later. */
public record DefinitionSnapshot(
    String provider,
    String providerVersion,
    @Nullable String commit,
    String contentHash,
    @Nullable String directory,
    Map<String, Object> configuration,
    String workflow,
    String source,
    Map<String, Resolution.Component> library) {

  /** Of a resolved definition. */
  public static DefinitionSnapshot of(Resolution.Definition definition) {
    return new DefinitionSnapshot(
        definition.provider(),
        definition.providerVersion(),
        definition.commit(),
        definition.hash(),
        definition.directory(),
        definition.configuration(),
        definition.workflow().name(),
        definition.source(),
        definition.library());
  }

  /** Of a workflow that may call others, with everything they call. */
  public static DefinitionSnapshot of(
      Resolution.Component component, Map<String, Resolution.Component> library) {
    return new DefinitionSnapshot(
        component.provider(),
        component.providerVersion(),
        component.commit(),
        component.hash(),
        component.directory(),
        component.configuration(),
        component.workflow(),
        component.source(),
        library);
  }

  /** Without what it calls. */
  public Resolution.Component component() {
    return new Resolution.Component(
        provider, providerVersion, commit, contentHash, directory, configuration, workflow, source);
  }

  /** The definition again, with its workflow as parsed from {@link #source}. */
  public Resolution.Definition definition(Workflow parsed) {
    return new Resolution.Definition(
        provider,
        providerVersion,
        commit,
        contentHash,
        directory,
        configuration,
        parsed,
        source,
        library);
  }
}
