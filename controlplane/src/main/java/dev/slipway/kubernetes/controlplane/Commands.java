package dev.slipway.kubernetes.controlplane;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command lines of the components. */
record Commands(Programs programs, Path directory, Identities identities, Ports ports) {
  /** The defaults pace a controller to 20 requests a second, a Deployment to seconds. */
  private static final List<String> UNPACED =
      List.of("--kube-api-qps=500", "--kube-api-burst=1000");

  List<String> etcd(ControlPlane.Durability durability) {
    String client = "https://127.0.0.1:" + ports.etcd();
    String peer = "https://127.0.0.1:" + ports.etcdPeer();
    List<String> command =
        command(
            Program.ETCD,
            "--name=embedded",
            "--data-dir=" + directory.resolve("etcd"),
            "--listen-client-urls=" + client,
            "--advertise-client-urls=" + client,
            "--listen-peer-urls=" + peer,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster=embedded=" + peer,
            "--client-cert-auth=true",
            "--cert-file=" + identities.file("etcd.crt"),
            "--key-file=" + identities.file("etcd.key"),
            "--trusted-ca-file=" + identities.file("etcd-ca.crt"),
            "--peer-client-cert-auth=true",
            "--peer-cert-file=" + identities.file("etcd.crt"),
            "--peer-key-file=" + identities.file("etcd.key"),
            "--peer-trusted-ca-file=" + identities.file("etcd-ca.crt"),
            "--log-level=warn");
    switch (durability) {
      case KEPT -> {}
      case TEMPORARY -> command.add("--unsafe-no-fsync");
    }
    return command;
  }

  List<String> apiServer() {
    return command(
        Program.API_SERVER,
        "--etcd-servers=https://127.0.0.1:" + ports.etcd(),
        "--etcd-cafile=" + identities.file("etcd-ca.crt"),
        "--etcd-certfile=" + identities.file("etcd.crt"),
        "--etcd-keyfile=" + identities.file("etcd.key"),
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        // The only endpoint is on loopback, which an Endpoints object must not name.
        "--endpoint-reconciler-type=none",
        "--secure-port=" + ports.api(),
        "--tls-cert-file=" + identities.file("apiserver.crt"),
        "--tls-private-key-file=" + identities.file("apiserver.key"),
        "--anonymous-auth=false",
        "--token-auth-file=" + identities.file("tokens.csv"),
        "--authorization-mode=RBAC",
        "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
        "--service-account-key-file=" + identities.file("service-account.pub"),
        "--service-account-signing-key-file=" + identities.file("service-account.key"),
        "--service-cluster-ip-range=" + ControlPlane.SERVICE_ADDRESSES,
        // Pods here run no code, so they need no token of their ServiceAccount.
        "--disable-admission-plugins=ServiceAccount",
        "--requestheader-client-ca-file=" + identities.file("front-proxy-ca.crt"),
        "--requestheader-allowed-names=front-proxy-client",
        "--requestheader-username-headers=X-Remote-User",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        "--proxy-client-cert-file=" + identities.file("front-proxy-client.crt"),
        "--proxy-client-key-file=" + identities.file("front-proxy-client.key"),
        "--enable-aggregator-routing=true",
        "--allow-privileged=true",
        "--profiling=false");
  }

  List<String> controllerManager() {
    List<String> command =
        command(
            Program.CONTROLLER_MANAGER,
            "--kubeconfig=" + kubeconfig(Identities.User.CONTROLLER_MANAGER),
            "--leader-elect=false",
            "--secure-port=0",
            "--service-account-private-key-file=" + identities.file("service-account.key"),
            "--root-ca-file=" + identities.file("ca.crt"),
            "--cluster-signing-cert-file=" + identities.file("ca.crt"),
            "--cluster-signing-key-file=" + identities.file("ca.key"),
            "--concurrent-deployment-syncs=20",
            "--concurrent-replicaset-syncs=20",
            "--concurrent-statefulset-syncs=20",
            "--concurrent-job-syncs=20",
            "--concurrent-namespace-syncs=20",
            // A machine that stalls must not lose its only node.
            "--node-monitor-grace-period=10m");
    command.addAll(UNPACED);
    return command;
  }

  List<String> scheduler() {
    List<String> command =
        command(
            Program.SCHEDULER,
            "--kubeconfig=" + kubeconfig(Identities.User.SCHEDULER),
            "--leader-elect=false",
            "--secure-port=0");
    command.addAll(UNPACED);
    return command;
  }

  List<String> kwok() {
    return command(
        Program.KWOK,
        "--kubeconfig=" + kubeconfig(Identities.User.KWOK),
        "--config=" + directory.resolve("stages.yaml"),
        // Other nodes belong to their own kubelets.
        "--manage-all-nodes=false",
        "--manage-nodes-with-label-selector=kubernetes.io/hostname=embedded",
        "--node-ip=127.0.0.1",
        "--cidr=10.244.0.0/16",
        "--node-lease-duration-seconds=40");
  }

  /** The kubeconfig file of a component. */
  Path kubeconfig(Identities.User user) {
    return identities.file(user.file() + ".kubeconfig");
  }

  private List<String> command(Program program, String... flags) {
    List<String> command = new ArrayList<>();
    command.add(programs.file(program).toString());
    command.addAll(List.of(flags));
    return command;
  }
}
