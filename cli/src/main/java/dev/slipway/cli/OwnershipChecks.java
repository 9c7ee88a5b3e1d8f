package dev.slipway.cli;

import dev.slipway.cli.cases.CaseResult;
import dev.slipway.cli.cases.Ownership;
import dev.slipway.cli.cases.TestCase;
import dev.slipway.cli.cases.TestCase.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides beside which cases another team tries: the first one that makes something of a type and
 * class, and every one that says something about ownership.
 */
final class OwnershipChecks {
  private final TestServer server;
  private final CaseScript script;
  private final Duration timeout;
  private final Set<List<String>> checked = new HashSet<>();
  private Optional<TwoTeams> teams = Optional.empty();

  OwnershipChecks(TestServer server, Path directory, String provider, Duration timeout) {
    this.server = server;
    this.script = new CaseScript(directory, server.data().resolve("providers").resolve(provider));
    this.timeout = timeout;
  }

  /**
   * How another team fared beside a case that passed; empty when it does not try.
   *
   * @param created the outputs that the case's create left
   */
  Optional<CaseResult> beside(TestCase testCase, Map<String, Object> created, String file)
      throws InterruptedException, IOException {
    if (!wanted(testCase)) {
      return Optional.empty();
    }
    if (teams.isEmpty()) {
      teams = Optional.of(TwoTeams.in(server));
    }
    OwnershipCheck.Request request =
        new OwnershipCheck.Request(
            testCase.actions().getFirst().params(),
            testCase.update(),
            created,
            "owned" + checked.size());
    return Optional.of(
        new OwnershipCheck(
                new OwnershipCheck.Setting(server, teams.get(), script, timeout), testCase, request)
            .run(file));
  }

  private boolean wanted(TestCase testCase) {
    if (!testCase.makes() || testCase.ownership().skip().isPresent()) {
      return false;
    }
    Subject.Resource subject = (Subject.Resource) testCase.subject();
    List<String> kind =
        testCase.ownership().equals(Ownership.SILENT)
            ? List.of(subject.type(), subject.resourceClass())
            : List.of(testCase.place());
    return checked.add(kind);
  }
}
