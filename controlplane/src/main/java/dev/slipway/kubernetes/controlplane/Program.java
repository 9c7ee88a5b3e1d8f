package dev.slipway.kubernetes.controlplane;

/** A program of the control plane, and the Go module below {@code testbed/kube} that pins it. */
public enum Program {
  ETCD("etcd", "etcd"),
  API_SERVER("kube-apiserver", "kubernetes"),
  CONTROLLER_MANAGER("kube-controller-manager", "kubernetes"),
  SCHEDULER("kube-scheduler", "kubernetes"),
  KWOK("kwok", "kwok"),
  KUBECTL("kubectl", "kubernetes");

  private final String file;
  private final String module;

  Program(String file, String module) {
    this.file = file;
    this.module = module;
  }

  /** The name of its file. */
  public String file() {
    return file;
  }

  /** The directory of the Go module. */
  String module() {
    return module;
  }
}
