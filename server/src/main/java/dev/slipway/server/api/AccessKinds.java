package dev.slipway.server.api;

import dev.slipway.web.kind.Column.Form;
import dev.slipway.web.kind.Kind;
import dev.slipway.web.kind.KindDraft;
import dev.slipway.web.kind.Verb;

/** Rows of the table of kinds for accounts and their rights. */
final class AccessKinds {
  private AccessKinds() {}

  static Kind team() {
    return stateless(Kind.ofInstallation("team", "teams"), "A team")
        .list("/api/teams")
        .get("/api/teams/{name}")
        .delete("/api/teams/{name}")
        .column("NAME", "name")
        .column("DESCRIPTION", "description")
        .column("AGE", "createdAt", Form.AGE)
        .row();
  }

  static Kind user() {
    return stateless(Kind.ofInstallation("user", "users"), "A user")
        .list("/api/admin/users")
        .get("/api/admin/users/{name}")
        .delete("/api/admin/users/{name}")
        .column("NAME", "name")
        .column("DISPLAY NAME", "displayName")
        .column("DISABLED", "disabled")
        .column("AGE", "createdAt", Form.AGE)
        .row();
  }

  /** API keys of the caller. */
  static Kind apiKey() {
    return stateless(Kind.ofInstallation("api-key", "api-keys"), "An API key")
        .shortNames("token", "tokens")
        .key("id")
        .label("name")
        .list("/api/profile/api-keys")
        .delete("/api/profile/api-keys/{id}")
        .column("ID", "id")
        .column("NAME", "name")
        .column("EXPIRES IN", "expiresAt", Form.UNTIL)
        .column("LAST USED", "lastUsedAt", Form.AGE)
        .column("AGE", "createdAt", Form.AGE)
        .row();
  }

  static Kind auditHold() {
    return stateless(Kind.ofInstallation("audit-hold", "audit-holds"), "An audit hold")
        .shortNames("hold", "holds")
        .key("id")
        .list("/api/audit/holds")
        .delete("/api/audit/holds/{id}")
        .column("ID", "id")
        .column("REASON", "reason")
        .column("TEAM", "team")
        .column("BY", "createdBy")
        .column("AGE", "createdAt", Form.AGE)
        .row();
  }

  /** Something that waits for nothing and is no node. */
  static KindDraft stateless(KindDraft draft, String subject) {
    return draft
        .without(
            Verb.EXPLAIN,
            subject
                + " has no state that could need an explanation. Look at it with: slipway"
                + " describe "
                + draft.name()
                + " NAME")
        .without(Verb.GRAPH, subject + " is not a part of the graph.");
  }
}
