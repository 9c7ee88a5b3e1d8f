package dev.slipway.kubernetes.apply;

import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.cluster.ApiRequest.Body;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A change of an object that names the object's uid, so that no other object is changed. */
public sealed interface ObjectPatch {
  /** A request body for the object with that uid. */
  Body body(String uid);

  /** The value as it was written. */
  Object written();

  /** RFC 7386: maps are merged, lists replaced, null removes. */
  record Merge(Map<String, Object> written) implements ObjectPatch {
    @Override
    public Body body(String uid) {
      return Body.json("application/merge-patch+json", bound(written, uid));
    }
  }

  /** Kubernetes' own: lists of the built-in kinds are merged by their keys. */
  record Strategic(Map<String, Object> written) implements ObjectPatch {
    @Override
    public Body body(String uid) {
      return Body.json("application/strategic-merge-patch+json", bound(written, uid));
    }
  }

  /** RFC 6902: a list of operations. */
  record Operations(List<Object> written) implements ObjectPatch {
    @Override
    public Body body(String uid) {
      List<Object> all = new ArrayList<>();
      all.add(Map.of("op", "test", "path", "/metadata/uid", "value", uid));
      all.addAll(written);
      return Body.json("application/json-patch+json", all);
    }
  }

  private static Map<String, Object> bound(Map<String, Object> patch, String uid) {
    Map<String, Object> whole = new LinkedHashMap<>(patch);
    Map<String, Object> metadata = new LinkedHashMap<>(Values.map(patch.get("metadata")));
    metadata.put("uid", uid);
    whole.put("metadata", metadata);
    return whole;
  }
}
