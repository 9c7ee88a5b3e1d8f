package dev.slipway.testbed.node;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The volumes of a pod as directories of this machine. */
record PodVolumes(KubernetesClient client, Pod pod, Path directory) {
  /** A volume's content does not exist yet; a kubelet tries again. */
  static final class MissingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MissingException(String message) {
      super(message);
    }
  }

  /** The directory of each mount path. */
  Map<String, Path> mounts() throws IOException {
    Map<String, Path> volumes = new LinkedHashMap<>();
    for (Volume volume : pod.getSpec().getVolumes()) {
      volumes.put(volume.getName(), volume(volume));
    }
    Map<String, Path> mounts = new LinkedHashMap<>();
    pod.getSpec()
        .getContainers()
        .getFirst()
        .getVolumeMounts()
        .forEach(mount -> mounts.put(mount.getMountPath(), volumes.get(mount.getName())));
    return mounts;
  }

  /** Without a file system of its own, a container is given the real path of what is mounted. */
  static String within(Map<String, Path> mounts, String word) {
    String result = word;
    for (Map.Entry<String, Path> mount : mounts.entrySet()) {
      result = result.replace(mount.getKey(), mount.getValue().toString());
    }
    return result;
  }

  private Path volume(Volume volume) throws IOException {
    Path target = directory.resolve("volumes").resolve(volume.getName());
    Files.createDirectories(target);
    if (volume.getSecret() != null) {
      String name = volume.getSecret().getSecretName();
      Secret secret = client.secrets().inNamespace(namespace()).withName(name).get();
      if (secret == null) {
        throw new MissingException("secret \"" + name + "\" not found");
      }
      write(target, secretData(secret), volume.getSecret().getItems());
    } else if (volume.getConfigMap() != null) {
      String name = volume.getConfigMap().getName();
      ConfigMap map = client.configMaps().inNamespace(namespace()).withName(name).get();
      if (map == null) {
        throw new MissingException("configmap \"" + name + "\" not found");
      }
      write(target, mapData(map), volume.getConfigMap().getItems());
    } else if (volume.getEmptyDir() == null) {
      throw new IOException("the node has no volumes of the kind of " + volume.getName());
    }
    return target;
  }

  private String namespace() {
    return pod.getMetadata().getNamespace();
  }

  private static Map<String, byte[]> secretData(Secret secret) {
    return decoded(secret.getData());
  }

  private static Map<String, byte[]> mapData(ConfigMap map) {
    Map<String, byte[]> data = decoded(map.getBinaryData());
    if (map.getData() != null) {
      map.getData().forEach((key, text) -> data.put(key, text.getBytes(StandardCharsets.UTF_8)));
    }
    return data;
  }

  private static Map<String, byte[]> decoded(Map<String, String> encoded) {
    Map<String, byte[]> data = new LinkedHashMap<>();
    if (encoded != null) {
      encoded.forEach((key, text) -> data.put(key, Base64.getDecoder().decode(text)));
    }
    return data;
  }

  /** All keys under their names, or the listed ones at their paths. */
  private static void write(Path target, Map<String, byte[]> data, List<KeyToPath> items)
      throws IOException {
    if (items == null || items.isEmpty()) {
      for (Map.Entry<String, byte[]> entry : data.entrySet()) {
        Files.write(target.resolve(entry.getKey()), entry.getValue());
      }
      return;
    }
    for (KeyToPath item : items) {
      byte[] content = data.get(item.getKey());
      if (content == null) {
        throw new MissingException("references non-existent key: " + item.getKey());
      }
      Path file = target.resolve(item.getPath());
      Files.createDirectories(file.getParent());
      Files.write(file, content);
      if (item.getMode() != null && (item.getMode() & 0111) != 0) {
        Files.setPosixFilePermissions(
            file,
            Set.of(
                PosixFilePermission.OWNER_READ,
                PosixFilePermission.OWNER_WRITE,
                PosixFilePermission.OWNER_EXECUTE));
      }
    }
  }
}
