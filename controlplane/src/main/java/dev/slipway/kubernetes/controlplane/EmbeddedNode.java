package dev.slipway.kubernetes.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpResponse;

/** The one node, which KWOK plays, and the storage class whose volumes KWOK provides. */
final class EmbeddedNode {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int CREATED = 201;
  private static final int EXISTS = 409;

  private static final String NODE =
      """
      {"apiVersion": "v1", "kind": "Node",
       "metadata": {
         "name": "embedded",
         "labels": {"kubernetes.io/hostname": "embedded", "kubernetes.io/os": "linux",
                    "kubernetes.io/arch": "amd64"}}}""";

  private static final String STORAGE =
      """
      {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass",
       "metadata": {
         "name": "standard",
         "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
       "provisioner": "simulate.slipway.dev/volume",
       "reclaimPolicy": "Delete",
       "volumeBindingMode": "Immediate"}""";

  private final ApiClient client;
  private boolean made;

  EmbeddedNode(ApiClient client) {
    this.client = client;
  }

  /** Whether the scheduler places pods on it; makes it first. */
  boolean takesPods() throws IOException, InterruptedException {
    if (!made) {
      make("/api/v1/nodes", NODE);
      make("/apis/storage.k8s.io/v1/storageclasses", STORAGE);
      made = true;
    }
    JsonNode node = JSON.readTree(client.get("/api/v1/nodes/embedded").body());
    return node.path("spec").path("taints").isEmpty() && ready(node);
  }

  private static boolean ready(JsonNode node) {
    for (JsonNode condition : node.path("status").path("conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  private void make(String path, String json) throws IOException, InterruptedException {
    HttpResponse<String> response = client.post(path, json);
    if (response.statusCode() != CREATED && response.statusCode() != EXISTS) {
      throw new IOException(path + ": " + response.statusCode() + " " + response.body());
    }
  }
}
