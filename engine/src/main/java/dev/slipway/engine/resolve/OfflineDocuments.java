package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.workflow.StepTypes;
import java.util.List;
import java.util.Map;

/**
 * Documents of a branch that the command line checks and simulates without a server. The branch
 * names its class in {@code META-INF/services}, so that the command line imports no branch.
 */
public interface OfflineDocuments {
  /** What is to be said about a document; one without errors would be accepted. */
  List<Diagnostic> check(String file, byte[] text);

  /**
   * Simulates a first request for the document: nothing exists yet.
   *
   * @param file its name in diagnostics
   */
  Simulated simulate(String file, byte[] text, Request request);

  /**
   * What a server would know of a request.
   *
   * @param images by container, for those that the document leaves open
   * @param providers all that there are
   */
  record Request(
      String environment,
      String team,
      String user,
      Map<String, String> images,
      List<Provider> providers,
      StepTypes stepTypes) {
    public Request {
      images = Map.copyOf(images);
      providers = List.copyOf(providers);
    }
  }

  /** The outcome. */
  sealed interface Simulated {
    /** As the server answers it: fields and their values are those of the record. */
    record Simulation(Record answer) implements Simulated {}

    /** The document itself is wrong. */
    record Unreadable(List<Diagnostic> diagnostics) implements Simulated {}

    /** The document is right, and the request would be refused. */
    record Refused(List<Diagnostic> diagnostics) implements Simulated {}
  }
}
