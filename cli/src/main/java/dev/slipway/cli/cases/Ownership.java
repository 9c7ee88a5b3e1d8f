package dev.slipway.cli.cases;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a case says about the attempts of another team that run beside it.
 *
 * @param skip why they do not run
 * @param verify a script about the first team's thing: what it prints must stay the same
 * @param sharedOutputs outputs that resources of several teams may have in common
 * @param sharedFiles patterns of files that they may have in common
 * @param existing something that is there before the provider creates
 */
public record Ownership(
    Optional<String> skip,
    Optional<String> verify,
    List<String> sharedOutputs,
    List<String> sharedFiles,
    Optional<Existing> existing) {

  /** A case that says nothing. */
  public static final Ownership SILENT =
      new Ownership(Optional.empty(), Optional.empty(), List.of(), List.of(), Optional.empty());

  /**
   * A thing without the provider's stamp.
   *
   * @param script makes it
   * @param params those of the case, and these, ask for it
   */
  public record Existing(String script, Map<String, Object> params) {}
}
