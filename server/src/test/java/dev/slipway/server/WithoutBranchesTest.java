package dev.slipway.server;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.slipway.web.branch.Branches;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The trunk alone: what is left when every branch is taken out of the list. */
class WithoutBranchesTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  /** The package of each branch of the list. */
  private static final List<String> PACKAGES =
      BranchList.ALL.all().stream().map(branch -> branch.getClass().getPackageName()).toList();

  private static final String[] BRANCHES =
      PACKAGES.stream().map(name -> name + "..").toArray(String[]::new);
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.slipway");

  @TempDir Path directory;

  @Test
  void a_server_without_branches_starts_runs_a_golden_path_and_answers_its_api() throws Exception {
    try (Running running =
        new Running(
            Running.Place.fresh(),
            Optional.of(NotesProvider.write(directory, "")),
            new Branches(List.of()))) {
      String dora = running.member("dora", "red", "developer");
      Object run =
          running
              .as(dora)
              .post("/api/golden-paths/tell/execute", "{}")
              .expect(202)
              .json()
              .get("id");
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(running.as(dora).get("/api/workflows/" + run).expect(200).json())
                      .containsEntry("status", "succeeded"));
      running.asAdmin().post("/api/environments", "{\"name\":\"preview\"}").expect(201);
      assertThat(running.asAdmin().get("/api/environments/preview").expect(200).json())
          .doesNotContainKey("applications");
      running.asAdmin().delete("/api/environments/preview").expect(204);
      deletes_no_environment_of_an_absent_branch(running);
      assertThat(running.asAdmin().get("/api/kinds").expect(200).body())
          .contains("\"environment\"", "\"run\"")
          .doesNotContain("/api/applications", "/api/graph");
      assertThat(running.asNobody().get("/openapi.json").expect(200).body())
          .doesNotContain("/api/applications");
      running.asAdmin().get("/api/applications").expect(404);
      assertThat(running.asAdmin().get("/api/stats").expect(200).json())
          .containsKey("runs")
          .doesNotContainKeys("applications", "resources");
      running.asNobody().get("/ready").expect(200);
    }
  }

  /** V1 of the trunk's schema has these tables, so the rows outlive their branch. */
  private static void deletes_no_environment_of_an_absent_branch(Running running) {
    running.asAdmin().post("/api/environments", "{\"name\":\"held\"}").expect(201);
    Jdbi.create(running.database.jdbcUrl(), running.database.user(), running.database.password())
        .useHandle(
            h ->
                h.execute(
                    "INSERT INTO applications (id, name, environment, team, revision, state, created_by,"
                        + " created_at, updated_at) VALUES (gen_random_uuid(), 'shop', 'held',"
                        + " 'red', 1, 'active', 'dora', now(), now())"));
    assertThat(running.asAdmin().delete("/api/environments/held").expect(409).body())
        .contains("environment-not-empty", "a branch that this server does not have");
    running.asAdmin().get("/api/environments/held").expect(200);
  }

  @Test
  void each_branch_of_the_list_is_in_a_package_and_a_module_of_its_own() {
    assertThat(PACKAGES).isNotEmpty().doesNotHaveDuplicates().doesNotContain("dev.slipway.server");
    for (String name : PACKAGES) {
      String module = name.substring("dev.slipway.".length());
      assertThat(Path.of("..", module, "pom.xml")).as(name).exists();
    }
  }

  /** Each module that the server has, but for the branches and the server itself. */
  private static Set<String> trunk() {
    Set<String> names = new TreeSet<>();
    CLASSES.forEach(each -> names.add(module(each.getPackageName())));
    names.removeAll(PACKAGES);
    names.remove("dev.slipway.server");
    return names;
  }

  /** {@code dev.slipway.engine} of {@code dev.slipway.engine.value}. */
  private static String module(String name) {
    return Stream.of(name.split("\\.")).limit(3).collect(Collectors.joining("."));
  }

  @Test
  void the_trunk_imports_no_branch() {
    assertThat(trunk())
        .contains(
            "dev.slipway.gotemplate",
            "dev.slipway.engine",
            "dev.slipway.postgres",
            "dev.slipway.steps",
            "dev.slipway.git",
            "dev.slipway.web");
    noClasses()
        .that(resideInAnyPackage(trunk().stream().map(name -> name + "..").toArray(String[]::new)))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(BRANCHES)
        .check(CLASSES);
  }

  @Test
  void a_branch_imports_no_other_branch() {
    for (String branch : BRANCHES) {
      noClasses()
          .that()
          .resideInAPackage(branch)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              Stream.of(BRANCHES).filter(b -> !b.equals(branch)).toArray(String[]::new))
          .allowEmptyShould(true)
          .check(CLASSES);
    }
  }

  @Test
  void the_command_line_imports_no_branch() throws Exception {
    try (Stream<Path> files = Files.walk(Path.of("..", "cli", "src", "main", "java"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        String source = Files.readString(file);
        PACKAGES.forEach(
            name -> assertThat(source).as(file.toString()).doesNotContain("import " + name + "."));
      }
    }
  }

  @Test
  void the_server_names_branches_in_its_list_only() {
    noClasses()
        .that()
        .resideInAPackage("dev.slipway.server..")
        .and()
        .doNotHaveSimpleName("BranchList")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(BRANCHES)
        .check(CLASSES);
  }
}
