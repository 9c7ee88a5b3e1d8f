package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Values;
import dev.slipway.testbed.TestControlPlane;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Containers of Score documents on a real server and a real control plane. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkloadProviderTest {
  private static final Duration LIMIT = Duration.ofSeconds(120);

  private static final String SCORE =
      """
      apiVersion: score.dev/v1b1
      metadata: {name: shop}
      containers:
        web:
          image: registry.example.org/shop:@VERSION@
          variables: {DATABASE_PASSWORD: '${resources.db.password}', URL: '${resources.db.url}', COLOUR: red}
          files: {/etc/shop/shop.conf: {content: 'database=${resources.db.host}'}}
          volumes: {/srv: {source: '${resources.disk}'}}
          readinessProbe: {httpGet: {path: /, port: 8080}}
      @SERVICE@
      resources:
        db: {type: small-db, params: {version: '@DATABASE@'}}
        disk: {type: volume, params: {size: 2Gi}}
      """;

  private Running running;
  private String team;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Files.writeString(
        directory.resolve("kubeconfig"), Files.readString(TestControlPlane.kubeconfig()));
    Path database = Files.createDirectories(directory.resolve("small-db"));
    Files.writeString(
        database.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: small-db, version: 1.0.0}
        capabilities: {resourceTypes: [small-db]}
        workflows:
          - {name: make, file: ./make.yaml}
          - {name: drop, file: ./drop.yaml, operation: delete}
        """);
    Files.writeString(
        database.resolve("make.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: make}
        parameters: [{name: version, type: string, required: true}]
        steps: [{name: nothing, type: noop}]
        outputs:
          host: db.example.org
          password: {value: 'hunter-{{ .parameters.version }}', secret: true}
          url: 'postgres://shop:hunter-{{ .parameters.version }}@db.example.org/shop'
        """);
    Files.writeString(
        database.resolve("drop.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: drop}
        steps: [{name: nothing, type: noop}]
        """);
    Path config =
        Files.writeString(
            directory.resolve("admin-config.yaml"),
            """
            clusters:
              east: {kubeconfig: '${file:kubeconfig}', namespaces: ['{team}-*']}
            workloads: {cluster: east}
            observe: {interval: 5s}
            providers: [{source: filesystem, path: ./small-db}]
            """);
    running = new Running(Optional.of(config));
    team = running.member("mia", "harbour", "developer");
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private static final String SERVICE = "service: {ports: {http: {port: 80, targetPort: 8080}}}";

  private String deploy(String version, String database, String service) {
    var reply =
        running
            .as(team)
            .yaml(
                "/api/specs",
                SCORE
                    .replace("@VERSION@", version)
                    .replace("@DATABASE@", database)
                    .replace("@SERVICE@", service));
    assertThat(reply.status()).as(reply.body()).isIn(200, 201);
    return String.valueOf(reply.json().get("deploymentId"));
  }

  private void completed(String deployment) {
    Awaitility.await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(running.as(team).get("/api/deployments/" + deployment).json())
                    .as(() -> running.as(team).get("/api/applications/shop/explain").body())
                    .containsEntry("status", "completed"));
  }

  private static KubernetesClient cluster() {
    return TestControlPlane.client();
  }

  private String namespace() {
    return String.valueOf(Values.map(workload().get("outputs")).get("namespace"));
  }

  private Map<String, Object> workload() {
    return Values.map(all(team, "shop").getFirst());
  }

  private List<?> all(String caller, String application) {
    return (List<?>)
        running
            .as(caller)
            .get("/api/resources?application=" + application + "&type=workload")
            .json()
            .get("data");
  }

  private Deployment live() {
    return cluster().apps().deployments().inNamespace(namespace()).list().getItems().getFirst();
  }

  private static Container web(Deployment deployment) {
    return deployment.getSpec().getTemplate().getSpec().getContainers().getFirst();
  }

  @Test
  void a_workload_is_rolled_out_updated_and_removed() {
    completed(deploy("1", "14", SERVICE));
    Deployment made = live();
    assertThat(made.getStatus().getAvailableReplicas()).isEqualTo(1);
    assertThat(web(made).getImage()).isEqualTo("registry.example.org/shop:1");
    assertThat(made.getMetadata().getName()).matches("app-shop-[0-9a-f]{8}");
    Service service = cluster().services().inNamespace(namespace()).list().getItems().getFirst();
    assertThat(service.getSpec().getPorts().getFirst().getTargetPort().getIntVal()).isEqualTo(8080);
    secretsAreReferences(made, "hunter-14");
    PersistentVolumeClaim claim =
        cluster().persistentVolumeClaims().inNamespace(namespace()).list().getItems().getFirst();
    assertThat(claim.getStatus().getPhase()).isEqualTo("Bound");
    assertThat(claim.getStatus().getCapacity().get("storage")).hasToString("2Gi");
    assertThat(made.getSpec().getTemplate().getSpec().getVolumes())
        .anySatisfy(
            volume ->
                assertThat(volume.getPersistentVolumeClaim())
                    .extracting("claimName")
                    .isEqualTo(claim.getMetadata().getName()));

    completed(deploy("2", "14", SERVICE));
    Deployment updated = live();
    assertThat(updated.getMetadata().getUid()).isEqualTo(made.getMetadata().getUid());
    assertThat(web(updated).getImage()).isEqualTo("registry.example.org/shop:2");
    assertThat(updated.getStatus().getUpdatedReplicas()).isEqualTo(1);

    crashes(updated);

    completed(deploy("3", "15", ""));
    Awaitility.await().atMost(LIMIT).until(() -> !digest(live()).equals(digest(updated)));
    secretsAreReferences(live(), "hunter-15");
    assertThat(cluster().services().inNamespace(namespace()).list().getItems())
        .as("the service that the document does not have any more")
        .isEmpty();

    String namespace = namespace();
    running.as(team).delete("/api/applications/shop?confirm=shop").expect(202);
    Awaitility.await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(running.as(team).get("/api/applications/shop").status())
                    .as(() -> running.as(team).get("/api/applications/shop/explain").body())
                    .isEqualTo(404));
    Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(left(namespace)).isEmpty());
  }

  /** The pods crash behind the back of the server; what is applied is as it was. */
  private void crashes(Deployment deployment) {
    cluster()
        .pods()
        .inNamespace(namespace())
        .withLabels(deployment.getSpec().getSelector().getMatchLabels())
        .resources()
        .forEach(
            pod ->
                pod.edit(
                    p ->
                        p.edit()
                            .editMetadata()
                            .addToAnnotations("simulate.slipway.dev/pod", "crash")
                            .endMetadata()
                            .build()));
    Awaitility.await("the look finds the crash")
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              assertThat(workload()).containsEntry("health", "Degraded");
              assertThat(running.as(team).get("/api/applications/shop/explain").body())
                  .contains("is Degraded: pod app-shop-", "back-off");
            });
  }

  private static final String QUAY =
      """
      apiVersion: score.dev/v1b1
      metadata: {name: quay}
      containers: {web: {image: 'i:1', variables: {API_TOKEN: of-the-wharf}, volumes: {/d: {source: '${resources.disk}'}}}}
      resources: {disk: {type: volume}}
      """;

  /** What team pirates asks for: each names or claims what belongs to team wharf. */
  private static List<String> attacks(Map<String, Object> workload) {
    String head = "apiVersion: score.dev/v1b1\nmetadata: {name: %s}\n";
    String name = String.valueOf(Values.map(workload.get("outputs")).get("name"));
    String namespace = String.valueOf(Values.map(workload.get("outputs")).get("namespace"));
    String own =
        "{web: {image: 'i:6', variables: {A: \"x\\nnamespace: %s\"}}}".formatted(namespace);
    return List.of(
        head.formatted("quay") + "containers: " + own,
        head.formatted("raid-1")
            + "resources: {x: {type: workload, id: quay, params: {containers: %s}}}".formatted(own),
        head.formatted("raid-2")
            + "resources: {x: {type: workload, params: {namespace: %s, name: %s, containers: %s}}}"
                .formatted(namespace, name, own),
        head.formatted("raid-3")
            + "resources: {x: {type: workload, params: {resource_id: %s, containers: %s}}}"
                .formatted(workload.get("id"), own),
        head.formatted(name) + "containers: " + own,
        head.formatted("raid-4")
            + "containers: {web: {image: 'i:6', volumes: {/d: {source: '../%s/x'}}}}"
                .formatted(namespace),
        head.formatted("raid-5")
            + "containers: {web: {image: 'i:6', volumes: {/host: {source: /var/run}}}}");
  }

  @Test
  void another_team_reaches_nothing_of_a_workload() {
    String wharf = running.member("ann", "wharf", "developer");
    String pirates = running.member("jack", "pirates", "developer");
    String made =
        running.as(wharf).yaml("/api/specs", QUAY).expect(201).json().get("deploymentId") + "";
    Awaitility.await()
        .atMost(LIMIT)
        .until(
            () ->
                "completed"
                    .equals(
                        running.as(wharf).get("/api/deployments/" + made).json().get("status")));
    Map<String, Object> workload = Values.map(all(wharf, "quay").getFirst());
    String namespace = String.valueOf(Values.map(workload.get("outputs")).get("namespace"));
    List<String> before = written(namespace);
    List<String> deployments =
        attacks(workload).stream()
            .map(attack -> running.as(pirates).yaml("/api/specs", attack))
            .filter(reply -> reply.status() < 300)
            .map(reply -> String.valueOf(reply.json().get("deploymentId")))
            .toList();
    assertThat(deployments).as("some are accepted, and run").hasSizeGreaterThan(2);
    Awaitility.await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(deployments)
                    .extracting(
                        id ->
                            running.as(pirates).get("/api/deployments/" + id).json().get("status"))
                    .doesNotContain("running"));
    assertThat(written(namespace)).isEqualTo(before);
    assertThat(
            cluster().apps().deployments().inAnyNamespace().list().getItems().stream()
                .filter(d -> web(d).getImage().equals("i:6"))
                .map(d -> d.getMetadata().getNamespace())
                .distinct())
        .as("what team pirates has made")
        .allMatch(place -> place.startsWith("pirates-default-"));
    assertThat(
            cluster().apps().deployments().inAnyNamespace().list().getItems().stream()
                .flatMap(d -> d.getSpec().getTemplate().getSpec().getVolumes().stream()))
        .allMatch(volume -> volume.getHostPath() == null);
  }

  /** The objects of a namespace without their status. */
  private static List<String> written(String namespace) {
    KubernetesClient c = cluster();
    return Stream.of(
            c.apps().deployments().inNamespace(namespace).list().getItems(),
            c.services().inNamespace(namespace).list().getItems(),
            c.persistentVolumeClaims().inNamespace(namespace).list().getItems(),
            c.secrets().inNamespace(namespace).list().getItems(),
            c.configMaps().inNamespace(namespace).list().getItems())
        .flatMap(List::stream)
        .map(
            o ->
                o.getKind()
                    + " "
                    + o.getMetadata().getUid()
                    + " "
                    + o.getMetadata().getGeneration()
                    + " "
                    + o.getMetadata().getAnnotations().get("slipway.dev/owner"))
        .sorted()
        .toList();
  }

  private static List<String> left(String namespace) {
    KubernetesClient c = cluster();
    return Stream.of(
            c.apps().deployments().inNamespace(namespace).list().getItems(),
            c.services().inNamespace(namespace).list().getItems(),
            c.persistentVolumeClaims().inNamespace(namespace).list().getItems(),
            c.pods().inNamespace(namespace).list().getItems(),
            c.secrets().inNamespace(namespace).list().getItems(),
            c.configMaps().inNamespace(namespace).list().getItems())
        .flatMap(List::stream)
        .map(o -> o.getKind() + "/" + o.getMetadata().getName())
        .filter(name -> !name.endsWith("/kube-root-ca.crt"))
        .toList();
  }

  private static String digest(Deployment deployment) {
    return deployment
        .getSpec()
        .getTemplate()
        .getMetadata()
        .getAnnotations()
        .get("slipway.dev/content");
  }

  private void secretsAreReferences(Deployment deployment, String password) {
    assertThat(Values.map(workload().get("outputs")))
        .as("names are no secrets")
        .containsEntry("name", deployment.getMetadata().getName())
        .doesNotContainValue("***");
    Secret secret = cluster().secrets().inNamespace(namespace()).list().getItems().getFirst();
    Map<String, String> data = secret.getData();
    assertThat(new String(Base64.getDecoder().decode(data.get("env.web.DATABASE_PASSWORD"))))
        .isEqualTo(password);
    assertThat(new String(Base64.getDecoder().decode(data.get("env.web.URL")))).contains(password);
    assertThat(data).hasSize(2);
    assertThat(web(deployment).getEnv())
        .filteredOn(env -> !env.getName().equals("COLOUR"))
        .hasSize(2)
        .allMatch(
            env ->
                env.getValueFrom()
                    .getSecretKeyRef()
                    .getName()
                    .equals(secret.getMetadata().getName()));
    for (String place :
        List.of(
            "/api/resources/" + workload().get("id"),
            "/api/applications/shop/workload",
            "/api/workflows?application=shop&limit=100")) {
      assertThat(running.as(team).get(place).body()).as(place).doesNotContain(password);
    }
    assertThat(io.fabric8.kubernetes.client.utils.Serialization.asJson(deployment))
        .doesNotContain(password, Base64.getEncoder().encodeToString(password.getBytes()));
  }
}
