package org.sparkgpugraph.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** Who may use what from outside; the order of the packages themselves is {@link LayersTest}. */
class DependencyRulesTest {
  private static final String ROOT = "org.sparkgpugraph.";
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          // ArchUnit's own option knows target/test-classes, not the folder of the other Spark
          // line.
          .withImportOption(location -> !location.contains("/test-classes/"))
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
          .importPackages("org.sparkgpugraph");

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(CLASSES);
  }

  @Test
  void classesAreFound() {
    assertThat(CLASSES.size()).isGreaterThan(50);
  }

  @Test
  void onlyTheCudaEngineUsesJcuda() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "engine.cuda..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jcuda.."));
  }

  @Test
  void onlyTheCudaEngineAndTheEmulatorUseJna() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + "engine.cuda..", ROOT + "engine.emulator..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.sun.jna.."));
  }

  @Test
  void theDeviceEngineKnowsDevicesByTheirInterfaceAlone() {
    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT + "engine.device..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "jcuda..",
                "com.sun.jna..",
                ROOT + "engine.cuda..",
                ROOT + "engine.emulator..",
                ROOT + "engine.cpu.."));
  }

  @Test
  void onlyFilesAndFramesUseSparkSql() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + "files..", ROOT + "frame..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.spark.sql.."));
  }

  @Test
  void programsAndGraphsKnowNoEngine() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(ROOT + "program..", ROOT + "graphs..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                ROOT + "engine..", ROOT + "exchange..", ROOT + "runtime..", ROOT + "lib.."));
  }

  @Test
  void printingCudaTouchesNoCuda() {
    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT + "program.cuda..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jcuda..", "com.sun.jna..", ROOT + "engine.."));
  }

  /** What is not named here would work with any source of graphs. */
  @Test
  void graphXIsKnownToFewPackages() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                // What users write and call.
                "org.sparkgpugraph",
                ROOT + "lib..",
                ROOT + "scaladsl..",
                ROOT + "implicits",
                // GraphX's graphs in and out.
                ROOT + "adapter..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.spark.graphx.."));
  }

  @Test
  void enginesKnowNeitherSparkNorAlgorithms() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(ROOT + "engine..", ROOT + "exchange..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                ROOT + "runtime..", ROOT + "lib..", ROOT + "files..", "org.apache.spark.."));
  }

  @Test
  void nothingBelowUsesTheAlgorithms() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                ROOT + "lib..", ROOT + "scaladsl..", ROOT + "implicits", ROOT + "frame..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROOT + "lib.."));
  }

  @Test
  void onlyWhatReadsOrMakesClassesUsesAsm() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                ROOT + "program..",
                ROOT + "engine.cpu..",
                ROOT + "adapter.transparent",
                ROOT + "runtime.ui")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.objectweb.asm.."));
  }
}
