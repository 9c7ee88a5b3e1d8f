package dev.slipway.kubernetes.cluster;

/** A cluster does not tell which kinds it has. */
public final class KindsRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient ApiReply reply;

  KindsRefusedException(ApiReply reply) {
    super(reply.message());
    this.reply = reply;
  }

  /** What it answered instead. */
  public ApiReply reply() {
    return reply;
  }
}
