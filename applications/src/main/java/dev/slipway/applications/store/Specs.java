package dev.slipway.applications.store;

import dev.slipway.applications.score.Score;
import dev.slipway.engine.value.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Documents that were accepted before. */
final class Specs {
  private Specs() {}

  /** As stored: secrets sealed. */
  static Optional<Map<String, @Nullable Object>> sealed(
      Handle handle, UUID application, int revision) {
    return handle
        .createQuery("SELECT spec FROM revisions WHERE application_id = ? AND revision = ?")
        .bind(0, application)
        .bind(1, revision)
        .mapTo(String.class)
        .findOne()
        .map(json -> Json.readMap(json, SealedRows.revision(application, revision)));
  }

  /** Read again, with open secrets. */
  static Score stored(ApplicationContext context, Handle handle, UUID application, int revision) {
    Map<String, @Nullable Object> spec =
        sealed(handle, application, revision)
            .orElseThrow(() -> ApplicationContext.notFound("revision", String.valueOf(revision)));
    return open(context, "revision-" + revision, spec);
  }

  static Score open(ApplicationContext context, String file, Map<String, @Nullable Object> spec) {
    byte[] json = Json.write(context.box().openLeaves(spec)).getBytes(StandardCharsets.UTF_8);
    return DeployCommand.again(file, json);
  }
}
