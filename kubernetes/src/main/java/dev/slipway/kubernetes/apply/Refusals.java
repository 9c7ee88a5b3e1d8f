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
          "User \"([^\"]*)\" cannot (\\S+) resource \"([^\"]*)\" in API group \"([^\"]*)\""
              + "(?: in the namespace \"([^\"]*)\"| at the cluster scope)?");
  private static final Pattern OTHER_MANAGER =
      Pattern.compile("conflicts? with \"([^\"]+)\"(?: using ([^ :]+))?");
  private static final Pattern WEBHOOK =
      Pattern.compile(
          "(?:admission webhook \"|ValidatingAdmissionPolicy ')([^\"']+)[\"'].{0,300}? denied");
  private static final Pattern POD_SECURITY = Pattern.compile("violates PodSecurity \"[^\"]*\"");
  private static final Pattern UNKNOWN_FIELD = Pattern.compile("unknown field \"([^\"]+)\"");
  private static final Pattern NOT_DECLARED = Pattern.compile("field not declared in schema");

  /** Such as {@code .spec.ports[port=80].name: expected string, got 7}, one a line or only one. */
  private static final Pattern TYPED =
      Pattern.compile("(?:: |\\n\\s*)\\.([^\\s:\\[]+(?:\\[[^\\n\\]]*\\][^\\s:\\[]*)*): ([^\\n]+)");

  private static final String NOT_TYPED = "failed to create typed patch object";

  private final ObjectRef ref;
  private final Places places;

  /** Where fields of the object were written. */
  @FunctionalInterface
  interface Places {
    /** Such as {@code manifest:12:9} for {@code spec.replicas}; empty when it is not known. */
    Optional<String> of(String field);
  }

  Refusals(ObjectRef ref, Places places) {
    this.ref = ref;
    this.places = places;
  }

  RefusedException of(ApiReply reply) {
    String message = reply.message();
    Matcher webhook = WEBHOOK.matcher(message);
    if (webhook.find()) {
      // The webhook chooses the status, which says nothing about the cluster.
      return denied("'" + webhook.group(1) + "' of the cluster refuses it", message);
    }
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
      case 408, 410, 429 ->
          later(reply, "cluster-busy", "Slipway tries again when the cluster has time.");
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
    if (POD_SECURITY.matcher(message).find()) {
      return denied("The pod security standard of its namespace refuses it", message);
    }
    Matcher rbac = RBAC.matcher(message);
    return RefusedException.last(
        "cluster-forbidden",
        ref + ": " + message,
        rbac.find() ? rule(rbac) : "The rules of the cluster do not allow it.");
  }

  /** The rule of RBAC that would allow it. */
  private static String rule(Matcher rbac) {
    String verb = rbac.group(2);
    if (verb.startsWith("impersonate")) {
      return impersonation(rbac);
    }
    @Nullable String namespace = rbac.group(5);
    return "It would be allowed by a %s with {apiGroups: ['%s'], resources: ['%s'], verbs: [get,"
            .formatted(
                namespace == null ? "ClusterRole" : "Role in namespace " + namespace,
                rbac.group(4),
                rbac.group(3))
        + " create, patch, delete]} bound to "
        + rbac.group(1)
        + "; missing is "
        + verb
        + ".";
  }

  /** Newer clusters ask for a verb such as {@code impersonate-on:serviceaccount:get} first. */
  private static String impersonation(Matcher rbac) {
    String verb = rbac.group(2);
    String resource =
        verb.equals("impersonate")
            ? rbac.group(3)
            : verb.contains(":serviceaccount:") ? "serviceaccounts" : "users";
    return "The cluster's entry in the configuration says impersonate. It would be allowed by a"
        + " ClusterRole with {apiGroups: [''], resources: ['%s'], verbs: [impersonate]} bound to %s."
            .formatted(resource, rbac.group(1));
  }

  private RefusedException denied(String who, String message) {
    return RefusedException.last(
        "admission-denied",
        ref + ": " + message,
        who + ". Correct the manifest, or ask those in charge of the cluster.");
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
    if (reply.causes().stream().anyMatch(c -> c.field().equals("metadata.uid"))) {
      return new RefusedException(
          StepError.passing("changed-meanwhile", ref + " was made anew meanwhile", null),
          Outlook.LOOK_AGAIN);
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
    if (unknown.find()) {
      return located(unknown.group(1)) + " is no field of this kind: " + reply.message();
    }
    List<String> typed =
        TYPED
            .matcher(reply.message())
            .results()
            .map(found -> typed(located(found.group(1)), found.group(2)))
            .toList();
    return typed.isEmpty() ? reply.message() : String.join("; ", typed);
  }

  private static String typed(String field, String words) {
    return NOT_DECLARED.matcher(words).find()
        ? field + " is no field of this kind"
        : field + ": " + words;
  }

  private String located(String field) {
    String plain = field.startsWith(".") ? field.substring(1) : field;
    return places.of(plain).map(place -> plain + " (" + place + ")").orElse(plain);
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
