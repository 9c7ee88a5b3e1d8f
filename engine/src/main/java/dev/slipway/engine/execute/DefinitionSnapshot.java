package dev.slipway.engine.execute;

import dev.slipway.engine.resolve.Resolution;
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
    String source) {

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
        definition.source());
  }
}
