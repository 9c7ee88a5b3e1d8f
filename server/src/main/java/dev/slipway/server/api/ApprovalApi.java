package dev.slipway.server.api;

import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.post;

import dev.slipway.engine.graph.EventNodes;
import dev.slipway.engine.lifecycle.ApprovalState;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.postgres.access.Approval;
import dev.slipway.postgres.access.Approval.Decision;
import dev.slipway.postgres.access.ApprovalReader;
import dev.slipway.postgres.access.Approvals;
import dev.slipway.postgres.runs.PlannedRuns;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Callers;
import dev.slipway.web.Fields;
import dev.slipway.web.Paging;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import dev.slipway.web.access.Identity;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/** Approval requests, and the decisions about them. */
public record ApprovalApi(
    Approvals approvals,
    PlannedRuns planned,
    EventNodes nodes,
    Supplier<AdminConfig.SelfApproval> selfApproval,
    InstantSource clock) {
  private static final Set<String> STATES =
      Set.of("pending", "granted", "rejected", "expired", "void");

  public List<Route> routes() {
    return List.of(
        get("/api/approvals")
            .needs(Action.READ)
            .named("listApprovals", "Approvals, newest first")
            .query("state", "only those in this state, such as pending")
            .paged()
            .gives(200, "a piece of the list", "Approval[]")
            .by(this::list),
        get("/api/approvals/{id}")
            .needs(Action.READ)
            .named("showApproval", "One approval with its votes")
            .gives(200, "the approval", "Approval")
            .by(this::show),
        decision("approve", Decision.APPROVE, "Say yes"),
        decision("reject", Decision.REJECT, "Say no"));
  }

  private Route decision(String word, Decision decision, String what) {
    return post("/api/approvals/{id}/" + word)
        // Decided by the users that the request names, else by approvers of the team: see decide().
        .needs(Action.READ)
        .named(word, what)
        .takes(Route.Content.OPTIONAL_JSON, "Comment")
        .gives(200, "the approval as it is now", "Approval")
        .is(Route.Trait.IDEMPOTENT)
        .in(Route.Lane.RELIEF)
        .by(call -> decide(call, decision));
  }

  /** With what a planned run would do, while it waits. */
  private Answer show(Call call) {
    Approval approval = find(call);
    Map<String, Object> out = new ApprovalView(nodes).of(approval);
    planned.summary(approval.id()).ifPresent(plan -> out.put("plan", plan));
    return Answer.ok(out);
  }

  private Answer list(Call call) {
    Paging paging = Paging.of(call);
    String state = call.query("state").orElse(null);
    if (state != null && !STATES.contains(state)) {
      throw Problem.badRequest("There is no approval state '" + state + "'.").exception();
    }
    Identity caller = call.caller();
    return Answer.ok(
        Paging.page(
            approvals.list(
                new ApprovalReader(
                    caller.name(),
                    Callers.teams(caller, Action.READ),
                    Callers.teams(caller, Action.APPROVE)),
                state,
                paging.afterId(),
                paging.limit()),
            new ApprovalView(nodes)::of));
  }

  /** Kept with the vote: there was no second person. */
  private static final String ONLY_ACCOUNT =
      " (decided by the requester: this server has one account)";

  private Answer decide(Call call, Decision decision) {
    String comment = call.json().only("comment").text("comment").orElse("");
    if (comment.length() > 2_000) {
      throw Fields.wrongField("comment", "has at most 2000 characters");
    }
    Approval approval = find(call);
    Identity caller = call.caller();
    if (!mayDecide(caller, approval)) {
      throw Problem.forbidden("You are not among those who decide this.").exception();
    }
    boolean own = approval.requestedBy().equals(caller.name()) && !selfAllowed(approval);
    if (own && !approvals.onlyAccount()) {
      throw Problem.forbidden(
              "You asked for this yourself: another account has to decide it, because"
                  + " workflowPolicies.security.allowSelfApproval does not allow it"
                  + (approval.kind() == Approval.Kind.STEP
                      ? " or the step does not say allowSelf."
                      : "."))
          .exception();
    }
    String said = own ? (comment + ONLY_ACCOUNT).strip() : comment;
    return switch (approvals.decide(
        approval.id(), caller.name(), decision, said, clock.instant())) {
      case Approvals.Outcome.Counted counted ->
          Answer.ok(new ApprovalView(nodes).of(counted.approval()));
      case Approvals.Outcome.TooLate late ->
          throw Problem.conflict(
                  late.approval().state() == ApprovalState.PENDING
                      ? "This approval has expired."
                      : "This approval is " + late.approval().state().text() + " already.")
              .exception();
      case Approvals.Outcome.Repeated repeated ->
          throw Problem.conflict("You have decided this already.").exception();
    };
  }

  /** The administrator's switch counts for every approval; a step has to want it too. */
  private boolean selfAllowed(Approval approval) {
    return selfApproval.get() == AdminConfig.SelfApproval.ALLOWED
        && (approval.kind() == Approval.Kind.PLAN || approval.self() == Approval.Self.ALLOWED);
  }

  private Approval find(Call call) {
    UUID id = call.id("id", "approval");
    Approval approval =
        approvals
            .find(id)
            .filter(found -> sees(call.caller(), found))
            .orElseThrow(() -> Problem.notFound("approval", id.toString()).exception());
    call.concerns(approval.team());
    return approval;
  }

  private static boolean sees(Identity caller, Approval approval) {
    return caller.may(Action.READ, approval.team())
        || !approval.voters().unnamed() && mayDecide(caller, approval);
  }

  /** The approvers of the team; when some are named, those. */
  private static boolean mayDecide(Identity caller, Approval approval) {
    Approval.Voters voters = approval.voters();
    if (voters.unnamed()) {
      return caller.may(Action.APPROVE, approval.team());
    }
    return voters.users().contains(caller.name())
        || voters.teams().stream().anyMatch(team -> caller.may(Action.APPROVE, team))
        || caller.account().memberships().stream()
            .anyMatch(m -> voters.roles().contains(m.role().text()) && m.covers(approval.team()));
  }
}
