package dev.slipway.applications.store;

import dev.slipway.engine.access.Caller;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What can be asked about deployments. */
public interface Deployments {

  /** A deployment, rollback or teardown. {@code resources} is as of now. */
  record View(
      UUID id,
      String application,
      String environment,
      String team,
      int revision,
      String kind,
      String status,
      String planHash,
      @Nullable UUID approvalId,
      @Nullable Map<String, Object> error,
      List<Applications.Accepted.Item> resources,
      String createdBy,
      Instant createdAt,
      @Nullable Instant completedAt) {}

  /** One of them. */
  View show(Caller caller, UUID id);

  /** Those of an application, newest first. */
  List<View> list(Caller caller, Applications.Ref application);

  /** All that the caller may see, also of applications that are gone; newest first. */
  List<View> history(Caller caller, Optional<String> application, Optional<String> environment);
}
