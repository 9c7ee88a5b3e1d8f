package dev.slipway.server.api;

import dev.slipway.engine.graph.Event;
import dev.slipway.engine.graph.EventNodes;
import dev.slipway.postgres.access.Approval;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Approvals as they are shown, with the nodes that they are about. */
record ApprovalView(EventNodes nodes) {
  Map<String, Object> of(Approval approval) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("id", approval.id());
    out.put("kind", approval.kind().text());
    out.put("state", approval.state().text());
    out.put("message", approval.message());
    Event about =
        new Event(
            "approval.requested",
            approval.root(),
            approval.environment(),
            approval.team(),
            "approvals",
            approval.createdAt(),
            approval.ids());
    out.put("root", nodes.root(about).orElse(null));
    out.put("node", nodes.node(about).orElse(null));
    out.put("application", RootApplication.of(approval.root()));
    out.put("environment", approval.environment());
    out.put("team", approval.team());
    out.put("runId", approval.runId());
    out.put("step", approval.step());
    out.put("deploymentId", approval.request());
    out.put("hash", approval.hash());
    out.put("users", approval.voters().users().stream().sorted().toList());
    out.put("teams", approval.voters().teams().stream().sorted().toList());
    out.put("roles", approval.voters().roles().stream().sorted().toList());
    out.put("required", approval.required());
    out.put("allowSelf", approval.self() == Approval.Self.ALLOWED);
    out.put("requestedBy", approval.requestedBy());
    out.put("createdAt", approval.createdAt());
    out.put("expiresAt", approval.expiresAt());
    out.put("decidedAt", approval.decidedAt());
    out.put("votes", approval.votes());
    out.values().removeIf(Objects::isNull);
    return out;
  }
}
