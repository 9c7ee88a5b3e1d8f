package dev.slipway.engine;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The direction of the doors: a stage knows earlier stages only, and nothing from outside. */
class StagesTest {
  private static final String ENGINE = "dev.slipway.engine.";
  private static final List<String> ORDER =
      List.of(
          "threads",
          "value",
          "lifecycle",
          "graph",
          "health",
          "intake",
          "access",
          "grammar",
          "workflow",
          "resolve",
          "plan",
          "execute");
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.slipway.engine");

  @Test
  void a_stage_imports_earlier_stages_only() {
    Set<String> wrong = new TreeSet<>();
    for (JavaClass one : CLASSES) {
      one.getDirectDependenciesFromSelf().stream()
          .map(d -> d.getTargetClass())
          .filter(t -> t.getPackageName().startsWith(ENGINE))
          .filter(t -> place(t) > place(one))
          .forEach(t -> wrong.add(one.getName() + " -> " + t.getName()));
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void every_package_is_a_stage_in_the_order() {
    Set<String> packages = new TreeSet<>();
    CLASSES.forEach(c -> packages.add(c.getPackageName()));
    packages.remove("dev.slipway.engine");
    assertThat(packages).allMatch(p -> ORDER.contains(stage(p)));
  }

  @Test
  void the_engine_knows_no_database_cluster_git_or_http() {
    ArchRuleDefinition.noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.sql..",
            "org.postgresql..",
            "org.jdbi..",
            "io.fabric8..",
            "org.eclipse.jgit..",
            "org.eclipse.jetty..",
            "io.javalin..",
            "java.net.http..")
        .check(CLASSES);
  }

  @Test
  void packages_are_free_of_cycles() {
    slices().matching("dev.slipway.engine.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  private static int place(JavaClass type) {
    return ORDER.indexOf(stage(type.getPackageName()));
  }

  private static String stage(String packageName) {
    return packageName.length() <= ENGINE.length()
        ? ""
        : packageName.substring(ENGINE.length()).split("\\.")[0];
  }
}
