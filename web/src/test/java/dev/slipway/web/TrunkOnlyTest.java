package dev.slipway.web;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Branches define their routes with this module, so it may know none of them. */
class TrunkOnlyTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.slipway.web");

  @Test
  void the_surface_knows_the_engine_and_the_stores_and_no_other_module() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.slipway..")
                .and(
                    resideOutsideOfPackages(
                        "dev.slipway.web..", "dev.slipway.engine..", "dev.slipway.postgres..")))
        .check(CLASSES);
  }
}
