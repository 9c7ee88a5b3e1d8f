package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.workflow.Workflow;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer to (type, operation, tags): one workflow of one provider, or why there is none. */
public sealed interface Resolution {
  /** This provider's workflow does it. */
  record Found(Definition definition, @Nullable String deletionPolicy) implements Resolution {}

  /** No provider claims the type. {@code nearest} are similar names. */
  record UnknownType(String type, List<String> nearest) implements Resolution {}

  /** Several providers of one level claim it. */
  record Conflicted(String type, int level, List<String> claimants) implements Resolution {}

  /** Providers claim the type, but none offers the operation. */
  record NotSupported(String type, Operation operation, List<String> claimants)
      implements Resolution {}

  /** The provider offers it, but its workflow needs programs that this server lacks. */
  record MissingPrograms(
      String type, Operation operation, String provider, List<Diagnostic> missing)
      implements Resolution {
    /** The reason as one phrase. */
    public String words() {
      return provider
          + " cannot "
          + operation.text()
          + " '"
          + type
          + "' on this server: "
          + String.join("; ", missing.stream().map(Diagnostic::text).toList());
    }
  }

  /** Its provider is kept out of service by a policy. */
  record Barred(String type, String provider, String why) implements Resolution {}

  /**
   * What a run executes and keeps: the workflow, whose it is, and in which version. {@code hash} is
   * over the provider's content, {@code directory} the immutable place its files are read from.
   * {@code library} holds every workflow that it calls, directly or not, by {@code provider/name}:
   * what is loaded later changes nothing for a run that has begun.
   */
  record Definition(
      String provider,
      String providerVersion,
      @Nullable String commit,
      String hash,
      @Nullable String directory,
      Map<String, Object> configuration,
      Workflow workflow,
      String source,
      Map<String, Component> library) {
    /** The same with what it calls. */
    public Definition calling(Map<String, Component> components) {
      return new Definition(
          provider,
          providerVersion,
          commit,
          hash,
          directory,
          configuration,
          workflow,
          source,
          components);
    }

    /** As those keep it that call it. */
    Component component() {
      return new Component(
          provider,
          providerVersion,
          commit,
          hash,
          directory,
          configuration,
          workflow.name(),
          source);
    }
  }

  /** A workflow that other workflows call, as stored with them. */
  record Component(
      String provider,
      String providerVersion,
      @Nullable String commit,
      String hash,
      @Nullable String directory,
      Map<String, Object> configuration,
      String workflow,
      String source) {
    /** How a reference written in a workflow of that provider is found in a library. */
    public static String key(String provider, String reference) {
      return reference.contains("/") ? reference : provider + "/" + reference;
    }
  }
}
