package dev.slipway.cli;

import dev.slipway.cli.kinds.Kind;
import dev.slipway.cli.kinds.Kind.Operation;
import dev.slipway.cli.kinds.UriTemplate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes objects of a kind, once the caller has agreed. */
@Command(
    name = "delete",
    description = "Deletes objects of KIND, with what belongs to them; asks first.",
    footer = {
      "",
      "  slipway delete app shop              as 'slipway destroy shop'",
      "  slipway delete resource shop/db --yes --wait"
    })
final class DeleteVerb extends KindVerb {
  @Parameters(index = "0", paramLabel = "KIND")
  String kind;

  @Parameters(index = "1..*", paramLabel = "NAME", arity = "0..*")
  List<String> names = List.of();

  @Mixin Consent consent;

  @Option(names = "--orphan", description = "Leave the real objects alone, where a kind has some.")
  boolean orphan;

  @Option(
      names = "--cascade",
      description = "With everything in it, where a kind contains objects of other kinds.")
  boolean cascade;

  @Mixin WaitOptions waiting;

  @Override
  public Integer call() throws Exception {
    KindObjects objects = objects();
    Subject subject = named(objects, kind, names);
    Kind kind = subject.kind();
    checkChoices(objects.template(kind, Operation.DELETE), kind);
    List<Map<String, Object>> doomed = new ArrayList<>();
    for (String name : subject.names()) {
      doomed.add(objects.named(kind, name, environment()));
    }
    doomed.forEach(object -> announce(objects, kind, object));
    consent.to(
        doomed.size() == 1
            ? "Delete " + called(kind, doomed.getFirst()) + "?"
            : "Delete these " + doomed.size() + " " + kind.plural() + "?");
    return delete(objects, kind, doomed);
  }

  private void checkChoices(UriTemplate template, Kind kind) {
    Map<String, Boolean> asked = Map.of("orphan", orphan, "cascade", cascade);
    asked.forEach(
        (choice, given) -> {
          if (given && !template.variables().contains(choice)) {
            throw new Failure(
                ExitCode.USAGE, "--" + choice + " means nothing for " + kind.plural());
          }
        });
  }

  /** Names the object and the objects of other kinds that it holds. */
  private void announce(KindObjects objects, Kind kind, Map<String, Object> object) {
    err.println(
        "This "
            + (orphan ? "forgets " : "deletes ")
            + called(kind, object)
            + (object.get("environment") == null ? "" : " in " + object.get("environment"))
            + (cascade ? ", with everything in it" : "")
            + (objects.table().kinds().stream().allMatch(k -> held(object, k).isEmpty())
                ? "."
                : ":"));
    for (Kind inner : objects.table().kinds()) {
      for (Map<String, Object> held : held(object, inner)) {
        String state = inner.stateOf(held).map(s -> ", " + s).orElse("");
        err.println(
            "  - "
                + inner.name()
                + " "
                + inner.nameOf(held)
                + " ("
                + DeletionEffect.of(held, kind.nameOf(object))
                + state
                + ")");
      }
    }
  }

  private static List<Map<String, Object>> held(Map<String, Object> object, Kind inner) {
    return object.get(inner.plural()) instanceof List<?> list
            && list.stream().allMatch(Map.class::isInstance)
        ? Api.items(list)
        : List.of();
  }

  private int delete(KindObjects objects, Kind kind, List<Map<String, Object>> doomed)
      throws InterruptedException {
    Instant until = Instant.now().plus(waiting.duration());
    ExitCode code = ExitCode.OK;
    for (Map<String, Object> object : doomed) {
      Map<String, Object> values = new LinkedHashMap<>(object);
      values.remove("orphan");
      values.remove("cascade");
      values.putAll(Api.query("orphan", orphan ? true : null, "cascade", cascade ? true : null));
      Map<String, Object> reply =
          objects.api().delete(objects.address(kind, Operation.DELETE, values), Map.of());
      ExitCode one = followUp(objects, kind, object, reply, until);
      code = code == ExitCode.OK ? one : code;
    }
    return code.code();
  }

  private ExitCode followUp(
      KindObjects objects,
      Kind kind,
      Map<String, Object> before,
      Map<String, Object> reply,
      Instant until)
      throws InterruptedException {
    if (reply.get("approvalId") != null) {
      waitsForApproval(called(kind, before), reply);
      return ExitCode.WAITING_FOR_APPROVAL;
    }
    if (reply.isEmpty()) { // nothing goes on afterwards
      err.println(called(kind, before) + " is deleted.");
      return ExitCode.OK;
    }
    if (!waiting.waits(screen())) {
      err.println("Under way. Watch with: " + command("wait", kind, before) + " --for delete");
      return ExitCode.OK;
    }
    return new ObjectWatch(objects, screen(), err)
        .until(
            kind,
            before,
            new WatchGoal.Gone(Optional.of(before)),
            java.time.Duration.between(Instant.now(), until));
  }
}
