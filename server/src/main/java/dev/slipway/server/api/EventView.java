package dev.slipway.server.api;

import dev.slipway.engine.graph.Event;
import dev.slipway.engine.graph.EventNodes;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.postgres.events.StoredEvent;
import dev.slipway.web.ApiJson;
import java.util.LinkedHashMap;
import java.util.Map;

/** Events as readers get them; {@code events.yaml} of the contract describes each type. */
public record EventView(EventNodes nodes) {
  static final String RESET = "stream.reset";

  /** The data of one server-sent event. */
  public String json(StoredEvent stored) {
    Event event = nodes.completed(stored.event());
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", stored.id());
    view.put("type", event.type());
    nodes.root(event).map(NodeRef::text).ifPresent(root -> view.put("root", root));
    nodes.node(event).map(NodeRef::text).ifPresent(node -> view.put("node", node));
    String application = RootApplication.of(event.root());
    view.put("application", application);
    // The source documents name it so, and their clients read it.
    view.put("app_name", application);
    view.put("environment", event.environment());
    view.put("timestamp", event.at());
    view.put("source", event.source());
    view.put("data", event.data());
    return ApiJson.write(view);
  }

  /** Tells a reader that it has missed events, and which is the oldest that it can get. */
  static String reset(long oldest) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("type", RESET);
    view.put("oldest", oldest);
    return ApiJson.write(view);
  }
}
