package dev.slipway.engine.progress;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Why something is not well: a stable code, a sentence, and what to do. */
public record Reason(String code, String message, @Nullable String hint) {
  /** Nobody claims its type. */
  public static final String NO_PROVIDER = "NoProvider";

  /** Several claim its type. */
  public static final String CONFLICT = "Conflict";

  /** Its inputs cannot be put together. */
  public static final String INVALID_INPUT = "InvalidInput";

  /** Its provider does not do what is asked. */
  public static final String NOT_SUPPORTED = "NotSupported";

  /** As stored and shown. */
  public Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("code", code);
    tree.put("message", message);
    if (hint != null) {
      tree.put("hint", hint);
    }
    return tree;
  }
}
