package dev.slipway.cli;

import dev.slipway.cli.CaseWatch.Place;
import dev.slipway.cli.TestResource.Done;
import dev.slipway.cli.TestResource.Leftovers;
import dev.slipway.cli.TwoTeams.Member;
import dev.slipway.cli.cases.CaseResult;
import dev.slipway.cli.cases.CaseVerdict;
import dev.slipway.cli.cases.Difference;
import dev.slipway.cli.cases.Observed;
import dev.slipway.cli.cases.Ownership;
import dev.slipway.cli.cases.TestCase;
import dev.slipway.cli.cases.TestCase.Subject;
import dev.slipway.engine.resolve.ProviderTestForms;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs beside a case: one team owns the object that the case makes, and a second team tries to
 * reach it. Each attempt has to make a separate object or to end as {@code not-ours}, and must not
 * change the object of the first team.
 */
final class OwnershipCheck {
  private static final int LONGEST_NAME = 40;
  private final Setting setting;
  private final TestCase testCase;
  private final Request request;
  private final CaseWatch watch;
  private final Approver approver;
  private final TestResource first;
  private final List<String> tried = new ArrayList<>();
  private Observed made = Observed.refused(List.of());

  /** Where it runs. */
  record Setting(TestServer server, TwoTeams teams, CaseScript script, Duration timeout) {}

  /**
   * What is asked for.
   *
   * @param create params of the create
   * @param update params of an update that succeeds, if the case has one
   * @param unrelated outputs of a resource with the same params and other names
   * @param application the name that all names of the attempts are made from
   */
  record Request(
      Map<String, Object> create,
      Optional<Map<String, Object>> update,
      Map<String, Object> unrelated,
      String application) {}

  /** One way to reach a thing; answers what went wrong. */
  private interface Attempt {
    List<Difference> run() throws InterruptedException, IOException;
  }

  OwnershipCheck(Setting setting, TestCase testCase, Request request) {
    this.setting = setting;
    this.testCase = testCase;
    this.request = request;
    this.watch = new CaseWatch(setting.server().api(), setting.timeout());
    this.approver = new Approver(setting.server().api(), watch);
    this.first =
        resource(
            setting.teams().first(),
            testCase.environment(),
            request.application(),
            "api-" + name());
  }

  private String name() {
    String name = subject().name();
    return name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) + "x" : name;
  }

  private Subject.Resource subject() {
    return (Subject.Resource) testCase.subject();
  }

  private Ownership ownership() {
    return testCase.ownership();
  }

  private TestResource resource(Member by, String environment, String application, String name) {
    Subject.Resource named =
        new Subject.Resource(
            subject().type(), name, subject().resourceClass(), subject().annotations());
    return new TestResource(
        setting.server(), by.api(), new Place(environment, application, named), watch);
  }

  CaseResult run(String file) throws InterruptedException, IOException {
    Instant began = Instant.now();
    Optional<CaseResult.Failure> failure = Optional.empty();
    String error = "";
    try {
      setting.server().record(Map.of());
      failure = attempts();
      removeFirst();
    } catch (Failure e) {
      error = (e.getMessage() + "\n" + String.join("\n", e.lines())).strip();
    }
    List<String> log = new ArrayList<>(tried);
    log.addAll(watch.log());
    return new CaseResult(
        testCase.named(testCase.name() + ", and another team does not reach it"),
        file,
        Duration.between(began, Instant.now()),
        failure.stream().toList(),
        error,
        log);
  }

  private Optional<CaseResult.Failure> attempts() throws InterruptedException, IOException {
    ObservedObject before = ObservedObject.inDirectory(setting.script().data(), ownership());
    made = approver.settled(first, first.deploy(request.create(), Done.CARRIED_OUT));
    if (!ProviderTestForms.ACTIVE.equals(made.state())) {
      return failed(
          "the first team creates it",
          List.of(new Difference("state", "active", made.text())),
          "It is made under other names than in the case. When it cannot be, say why:"
              + " ownership: {skip: '...'}.");
    }
    String environment = testCase.environment();
    String application = request.application();
    Map<String, Attempt> attempts = new LinkedHashMap<>();
    attempts.put(
        "names that are the first team's when they are joined",
        () -> neighbour(environment, application + "-api", name()));
    attempts.put(
        "the first team's names in another environment",
        () -> neighbour(environment + "-2", application, "api-" + name()));
    attempts.put(
        "names that are the first team's when they are joined with the environment's",
        () -> neighbour(environment + "-" + application, "api", name()));
    attempts.put("a record that names the first team's thing", this::foreignRecord);
    ownership()
        .existing()
        .ifPresent(e -> attempts.put("something that is there already", () -> existing(e)));
    if (ObservedObject.inDirectory(setting.script().data(), ownership()).hasMoreThan(before)) {
      // What is left behind goes with the server's data; elsewhere it would stay for ever.
      attempts.put("the first team's names, after it left its thing behind", this::leftBehind);
    }
    for (var attempt : attempts.entrySet()) {
      tried.add("another team tries: " + attempt.getKey());
      List<Difference> differences = attempt.getValue().run();
      if (!differences.isEmpty()) {
        return failed(
            "another team tries: " + attempt.getKey(), differences, CaseVerdict.hint(differences));
      }
    }
    return Optional.empty();
  }

  private Optional<CaseResult.Failure> failed(
      String title, List<Difference> differences, String hint) {
    return Optional.of(new CaseResult.Failure(testCase.place(), title, differences, hint));
  }

  private List<Difference> neighbour(String environment, String application, String name)
      throws InterruptedException, IOException {
    ObservedObject before = things(Record.KEPT);
    TestResource second = resource(setting.teams().second(), environment, application, name);
    List<Difference> found = new ArrayList<>();
    found.addAll(
        separate(approver.settled(second, second.deploy(request.create(), Done.CARRIED_OUT))));
    found.addAll(changedAndRemoved(second));
    found.addAll(before.changed(things(Record.KEPT)));
    return found;
  }

  /**
   * The second team's create run is not executed, so that its record holds foreign outputs. How its
   * later runs end does not count: it has nothing of its own that they could find.
   */
  private List<Difference> foreignRecord() throws InterruptedException, IOException {
    ObservedObject before = things(Record.KEPT);
    TestResource second =
        resource(
            setting.teams().second(),
            testCase.environment(),
            request.application() + "-other",
            name());
    setting.server().record(Answers.like(made));
    approver.settled(second, second.deploy(request.create(), Done.CARRIED_OUT));
    setting.server().record(Map.of());
    changedAndRemoved(second);
    return before.changed(things(Record.KEPT));
  }

  /** The create run fails before it does anything, so that the script gets the resource's id. */
  private List<Difference> existing(Ownership.Existing existing)
      throws InterruptedException, IOException {
    Member team = setting.teams().second();
    TestResource second =
        resource(team, testCase.environment(), request.application() + "-late", name());
    Map<String, Object> params = new LinkedHashMap<>(request.create());
    params.putAll(existing.params());
    setting.server().record(Answers.failing(made));
    Observed accepted = approver.settled(second, second.deploy(params, Done.CARRIED_OUT));
    setting.server().record(Map.of());
    if (!accepted.problems().isEmpty()) {
      return List.of(new Difference("create", "accepted", accepted.text()));
    }
    CaseScript.About about =
        new CaseScript.About(second.place(), team.team(), second.id().orElse(""), Map.of());
    CaseScript.Said said = setting.script().run(existing.script(), about);
    if (said.code() != 0) {
      throw new Failure(
          ExitCode.FAILED,
          "the script of ownership.existing failed",
          said.report().lines().toList());
    }
    ObservedObject before = ObservedObject.seen(setting.script(), ownership(), about);
    List<Difference> found = new ArrayList<>();
    found.addAll(separate(approver.settled(second, second.retry())));
    found.addAll(changedAndRemoved(second));
    found.addAll(before.changed(ObservedObject.seen(setting.script(), ownership(), about)));
    return found;
  }

  /** The record of the first team's resource goes, its thing stays. */
  private List<Difference> leftBehind() throws InterruptedException, IOException {
    ObservedObject before = things(Record.GONE);
    first.delete(Leftovers.ORPHAN);
    Place place = first.place();
    TestResource second =
        resource(
            setting.teams().second(),
            place.environment(),
            place.application(),
            place.subject().name());
    List<Difference> found = new ArrayList<>();
    found.addAll(
        separate(approver.settled(second, second.deploy(request.create(), Done.CARRIED_OUT))));
    found.addAll(changedAndRemoved(second));
    found.addAll(before.changed(things(Record.GONE)));
    return found;
  }

  private List<Difference> separate(Observed second) {
    Place place = first.place();
    List<String> names =
        List.of(
            place.environment(),
            place.application(),
            place.subject().name(),
            setting.teams().first().team());
    List<String> derived = CaseVerdict.derived(made.outputs(), request.unrelated(), names);
    derived.removeAll(ownership().sharedOutputs());
    return CaseVerdict.separate(made, second, derived);
  }

  private List<Difference> changedAndRemoved(TestResource second)
      throws InterruptedException, IOException {
    if (second.id().isEmpty()) {
      return List.of();
    }
    List<Difference> found = new ArrayList<>();
    if (request.update().isPresent() && ProviderTestForms.ACTIVE.equals(second.state())) {
      Observed updated =
          approver.settled(second, second.deploy(request.update().get(), Done.CARRIED_OUT));
      found.addAll(CaseVerdict.ended("update", "active", updated));
    }
    Observed deleted = approver.settled(second, second.delete(Leftovers.BY_POLICY));
    found.addAll(CaseVerdict.ended("delete", "deleted", deleted));
    return found;
  }

  /** Whether the server still has the record of the first team's resource. */
  private enum Record {
    KEPT,
    GONE
  }

  private ObservedObject things(Record record) throws InterruptedException, IOException {
    ObservedObject seen =
        ObservedObject.seen(
            setting.script(),
            ownership(),
            new CaseScript.About(
                first.place(),
                setting.teams().first().team(),
                first.id().orElse(""),
                made.outputs()));
    if (record == Record.GONE) {
      return seen;
    }
    // Without a read workflow the server refuses, each time with the same words.
    Observed read = first.read();
    return seen.with("state", read.text()).with("outputs", String.valueOf(read.outputs()));
  }

  private void removeFirst() throws InterruptedException, IOException {
    if (first.id().isPresent() && !first.state().equals("deleted")) {
      first.delete(Leftovers.BY_POLICY);
    }
  }
}
