package dev.slipway.kubernetes.apply;

import dev.slipway.engine.execute.StepError;
import dev.slipway.kubernetes.cluster.ApiReply;
import java.time.Duration;
import java.util.Optional;

/** A request that was not carried out, and what that means for the step that asked. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What may be done about it. */
  public enum Outlook {
    /** The same request would be refused again. */
    FINAL,
    /** The cluster may carry it out later. */
    LATER,
    /** The object has changed meanwhile: look again and decide anew. */
    LOOK_AGAIN
  }

  private final transient StepError error;
  private final Outlook outlook;
  private final transient Optional<Duration> after;

  public RefusedException(StepError error, Outlook outlook) {
    this(error, outlook, Optional.empty());
  }

  RefusedException(StepError error, Outlook outlook, Optional<Duration> after) {
    super(error.message());
    this.error = error;
    this.outlook = outlook;
    this.after = after;
  }

  /** Refused for good. */
  public static RefusedException last(String code, String message, String hint) {
    return new RefusedException(StepError.permanent(code, message, hint), Outlook.FINAL);
  }

  /** Refused for now. */
  public static RefusedException later(String code, String message, String hint) {
    return new RefusedException(StepError.passing(code, message, hint), Outlook.LATER);
  }

  /** What the cluster's refusal to do something with an object means. */
  public static RefusedException of(ObjectRef ref, ApiReply reply) {
    return new Refusals(ref, _ -> Optional.empty()).of(reply);
  }

  public StepError error() {
    return error;
  }

  public Outlook outlook() {
    return outlook;
  }

  /** How long the server asks to be left alone. */
  public Optional<Duration> after() {
    return after;
  }
}
