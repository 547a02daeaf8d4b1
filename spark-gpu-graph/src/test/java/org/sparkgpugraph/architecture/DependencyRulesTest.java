package org.sparkgpugraph.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.Components;
import org.sparkgpugraph.GpuMessages;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.Neighborhoods;
import org.sparkgpugraph.PregelBuilder;

/** Who may use what from outside; the order of the packages themselves is {@link LayersTest}. */
@Tag("any-spark-4")
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
                ROOT + "engine..", ROOT + "exchange..", ROOT + "runtime..", ROOT + "algorithm.."));
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

  /** What needs GraphX, and is loaded by those who ask for it. */
  private static final DescribedPredicate<JavaClass> THE_GRAPHX_ADAPTER =
      DescribedPredicate.describe(
          "the GraphX adapter",
          type ->
              Stream.of("adapter", "lib", "scaladsl", "implicits")
                      .anyMatch(name -> (type.getPackageName() + ".").startsWith(ROOT + name + "."))
                  || Stream.of(
                          GpuPregel.class,
                          PregelBuilder.class,
                          GpuMessages.class,
                          Components.class,
                          Neighborhoods.class)
                      .anyMatch(part -> type.getName().split("\\$")[0].equals(part.getName())));

  /** Spark's machine learning needs GraphX's jar, too. */
  @Test
  void onlyTheAdapterUsesGraphX() {
    check(
        noClasses()
            .that(not(THE_GRAPHX_ADAPTER))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "org.apache.spark.graphx..", "org.apache.spark.ml..", "org.apache.spark.mllib.."));
  }

  /** So nothing else needs GraphX by way of it either. */
  @Test
  void nothingElseUsesTheAdapter() {
    check(
        noClasses().that(not(THE_GRAPHX_ADAPTER)).should().dependOnClassesThat(THE_GRAPHX_ADAPTER));
  }

  @Test
  void theAdapterIsFound() {
    assertThat(CLASSES.stream().filter(THE_GRAPHX_ADAPTER))
        .extracting(JavaClass::getName)
        .contains(
            ROOT + "adapter.run.GraphXPregel",
            ROOT + "lib.PageRank",
            ROOT + "scaladsl.GpuPregel$",
            ROOT + "implicits.package$",
            ROOT + "GpuPregel")
        .doesNotContain(ROOT + "ResidentGraph", ROOT + "algorithm.PageRank");
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
                ROOT + "runtime..", ROOT + "algorithm..", ROOT + "files..", "org.apache.spark.."));
  }

  @Test
  void nothingBelowUsesTheAlgorithms() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                ROOT + "algorithm..", ROOT + "lib..", ROOT + "scaladsl..", ROOT + "frame..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROOT + "algorithm.."));
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
