package dev.slipway.testbed;

import dev.slipway.kubernetes.controlplane.Kubeconfig;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;

/** A namespace of one test on the shared control plane. */
public record TestNamespace(String name) {
  /** A rule of RBAC: verbs such as {@code get} on resources such as {@code configmaps}. */
  public static PolicyRule allow(String group, List<String> resources, String... verbs) {
    return new PolicyRuleBuilder()
        .withApiGroups(group)
        .withResources(resources)
        .withVerbs(verbs)
        .build();
  }

  /** A ServiceAccount that may do what the rules say, in this namespace only, with a token. */
  public Kubeconfig user(String user, PolicyRule... rules) {
    return user(TestControlPlane.client(), TestControlPlane.shared().administrator(), user, rules);
  }

  /** The same in a cluster of which the client is the administrator's. */
  public Kubeconfig user(
      KubernetesClient client, Kubeconfig administrator, String user, PolicyRule... rules) {
    ObjectMeta meta = new ObjectMetaBuilder().withName(user).withNamespace(name).build();
    client.resource(new ServiceAccountBuilder().withMetadata(meta).build()).create();
    client.resource(new RoleBuilder().withMetadata(meta).withRules(rules).build()).create();
    client
        .resource(
            new RoleBindingBuilder()
                .withMetadata(meta)
                .withNewRoleRef("rbac.authorization.k8s.io", "Role", user)
                .addNewSubject("", "ServiceAccount", user, name)
                .build())
        .create();
    TokenRequest token = client.serviceAccounts().inNamespace(name).withName(user).tokenRequest();
    return administrator.as(user, token.getStatus().getToken(), name);
  }
}
