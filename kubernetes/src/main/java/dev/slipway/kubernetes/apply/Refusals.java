package dev.slipway.kubernetes.apply;

import dev.slipway.engine.execute.StepError;
import dev.slipway.kubernetes.apply.RefusedException.Outlook;
import dev.slipway.kubernetes.cluster.ApiReply;
import dev.slipway.kubernetes.cluster.ApiReply.Cause;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns refusals of API servers into errors that say what to do. */
final class Refusals {
  private static final Pattern RBAC =
      Pattern.compile(
          "User \"([^\"]*)\" cannot ([a-z]+) resource \"([^\"]*)\" in API group \"([^\"]*)\""
              + "(?: in the namespace \"([^\"]*)\"| at the cluster scope)?");
  private static final Pattern OTHER_MANAGER =
      Pattern.compile("conflicts? with \"([^\"]+)\"(?: using ([^ :]+))?");
  private static final Pattern WEBHOOK =
      Pattern.compile(
          "(?:admission webhook \"|ValidatingAdmissionPolicy ')([^\"']+)[\"'].{0,300}? denied");
  private static final Pattern UNKNOWN_FIELD =
      Pattern.compile("unknown field \"([^\"]+)\"|\\.([^\\s:]+): field not declared in schema");
  private static final String NOT_TYPED = "failed to create typed patch object";

  private final ObjectRef ref;
  private final FieldPositions positions;

  /** Where fields of the object were written. */
  @FunctionalInterface
  interface FieldPositions {
    /** Such as {@code manifest:12:9} for {@code spec.replicas}; empty when it is not known. */
    Optional<String> of(String field);
  }

  Refusals(ObjectRef ref, FieldPositions positions) {
    this.ref = ref;
    this.positions = positions;
  }

  RefusedException of(ApiReply reply) {
    String message = reply.message();
    return switch (reply.status()) {
      case 401 ->
          RefusedException.later(
              "cluster-unauthorized",
              ref + ": the cluster does not accept the credentials: " + message,
              "Its token or certificate may have expired: put a new one where the configuration's"
                  + " clusters entry says. It is read again by itself.");
      case 403 -> forbidden(message, reply);
      case 404 -> missing(message);
      case 409 -> conflict(message, reply);
      case 413 -> tooLarge(message);
      case 400, 422 -> message.contains("equest is too large") ? tooLarge(message) : invalid(reply);
      case 429 -> later(reply, "cluster-busy", "Slipway tries again when the cluster has time.");
      default -> reply.status() >= 500 ? broken(reply) : invalid(reply);
    };
  }

  private RefusedException forbidden(String message, ApiReply reply) {
    if (reply.causes().stream().anyMatch(c -> c.reason().equals("NamespaceTerminating"))
        || message.contains("because it is being terminated")) {
      return RefusedException.later(
          "namespace-terminating",
          ref + ": its namespace is being deleted",
          "Slipway tries again until the namespace is gone and there is a new one.");
    }
    if (message.contains("exceeded quota")) {
      return RefusedException.last(
          "quota-exceeded", ref + ": " + message, "Ask for less, or for a larger quota.");
    }
    Matcher webhook = WEBHOOK.matcher(message);
    if (webhook.find()) {
      return denied(webhook.group(1), message);
    }
    Matcher rbac = RBAC.matcher(message);
    return RefusedException.last(
        "cluster-forbidden",
        ref + ": " + message,
        rbac.find() ? rule(rbac) : "The rules of the cluster do not allow it.");
  }

  /** The rule of RBAC that would allow it. */
  private static String rule(Matcher rbac) {
    @Nullable String namespace = rbac.group(5);
    return "It would be allowed by a %s with {apiGroups: ['%s'], resources: ['%s'], verbs: [get,"
            .formatted(
                namespace == null ? "ClusterRole" : "Role in namespace " + namespace,
                rbac.group(4),
                rbac.group(3))
        + " create, patch, delete]} bound to "
        + rbac.group(1)
        + "; missing is "
        + rbac.group(2)
        + ".";
  }

  private RefusedException denied(String webhook, String message) {
    return RefusedException.last(
        "admission-denied",
        ref + ": " + message,
        "'" + webhook + "' of the cluster refuses it. Correct the manifest, or ask its owner.");
  }

  private RefusedException missing(String message) {
    if (message.contains("namespaces \"")) {
      return RefusedException.last(
          "namespace-missing",
          ref + ": there is no such namespace",
          "Create it first: a step with operation: create-namespace.");
    }
    return RefusedException.later(
        "unknown-kind", ref + ": the cluster does not know this kind: " + message, "");
  }

  private RefusedException conflict(String message, ApiReply reply) {
    List<Cause> fields =
        reply.causes().stream().filter(c -> c.reason().equals("FieldManagerConflict")).toList();
    if (fields.isEmpty()) {
      return new RefusedException(
          StepError.passing("changed-meanwhile", ref + ": " + message, null), Outlook.LOOK_AGAIN);
    }
    String who =
        fields.stream()
            .map(cause -> OTHER_MANAGER.matcher(cause.message()))
            .filter(Matcher::find)
            .map(found -> "'" + found.group(1) + "'")
            .distinct()
            .collect(Collectors.joining(", "));
    String what = fields.stream().map(c -> located(c.field())).collect(Collectors.joining(", "));
    return RefusedException.last(
        "conflict",
        "%s: %s also manages %s".formatted(ref, who.isEmpty() ? "another client" : who, what),
        "Leave these fields out, let the other one give them up, or write conflicts: force.");
  }

  private RefusedException tooLarge(String message) {
    return RefusedException.last(
        "object-too-large",
        ref + ": the cluster refuses its size: " + message,
        "An object may have about 1 MiB. Split it, or store the content elsewhere.");
  }

  private RefusedException invalid(ApiReply reply) {
    String message = reply.message();
    if (reply.causes().stream().anyMatch(c -> c.field().equals("metadata.uid"))) {
      return new RefusedException(
          StepError.passing("changed-meanwhile", ref + " was made anew meanwhile", null),
          Outlook.LOOK_AGAIN);
    }
    Matcher webhook = WEBHOOK.matcher(message);
    if (webhook.find()) {
      return denied(webhook.group(1), message);
    }
    return RefusedException.last(
        "invalid-manifest",
        ref + ": " + explained(reply),
        "Correct the manifest; the message is the API server's.");
  }

  private String explained(ApiReply reply) {
    if (!reply.causes().isEmpty()) {
      return reply.causes().stream()
          .map(
              cause ->
                  cause.field().isEmpty()
                      ? cause.message()
                      : located(cause.field()) + ": " + cause.message())
          .collect(Collectors.joining("; "));
    }
    Matcher unknown = UNKNOWN_FIELD.matcher(reply.message());
    if (!unknown.find()) {
      return reply.message();
    }
    String field = unknown.group(1) == null ? unknown.group(2) : unknown.group(1);
    return located(field) + " is no field of this kind: " + reply.message();
  }

  private String located(String field) {
    String plain = field.startsWith(".") ? field.substring(1) : field;
    return positions.of(plain).map(place -> plain + " (" + place + ")").orElse(plain);
  }

  private RefusedException broken(ApiReply reply) {
    if (reply.message().contains("request is too large")) {
      return tooLarge(reply.message());
    }
    if (reply.message().contains(NOT_TYPED)) {
      return invalid(reply);
    }
    return later(reply, "cluster-failed", "Slipway tries again.");
  }

  private RefusedException later(ApiReply reply, String code, String hint) {
    Optional<Duration> after =
        reply
            .retryAfter()
            .filter(text -> text.matches("[0-9]{1,5}"))
            .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    return new RefusedException(
        StepError.passing(code, ref + ": " + reply.message(), hint), Outlook.LATER, after);
  }
}
