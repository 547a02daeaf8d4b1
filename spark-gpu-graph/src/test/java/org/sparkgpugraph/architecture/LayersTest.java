package org.sparkgpugraph.architecture;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The packages in their order, the lowest first: a class uses its own package and those before it.
 * A package that is not in the list has no place yet: give it one.
 */
@Tag("any-spark-4")
class LayersTest {
  private static final String ROOT = "org.sparkgpugraph";

  private static final List<String> ORDER =
      """
      vector
      function
      program.ir
      program
      program.expression
      program.lanes
      program.ssa
      program.bytecode
      program.analysis
      program.lift
      program.messages
      program.cuda
      program.jvm
      program.codec
      program.delta
      program.fold
      program.hoist
      program.fuse
      run
      graphs.memory
      graphs.model
      graphs.rdd
      graphs.rows
      graphs.placement
      graphs.build
      graphs.hub
      graphs.shard
      graphs.overlap
      exchange
      engine
      engine.device
      engine.device.settings
      engine.device.kernels
      engine.device.tuning
      engine.device.memory
      engine.device.exchange
      engine.device.plan
      engine.device.partition
      engine.device.operators
      engine.device.run
      engine.operator
      engine.intersect
      engine.cores
      engine.strong
      engine.louvain
      engine.emulator
      engine.cuda
      engine.cuda.driver
      engine.cpu.frame
      engine.cpu.codegen
      engine.cpu.components
      engine.cpu
      runtime.event
      runtime.report
      runtime.ui
      runtime.conf
      runtime.serial
      runtime.cluster
      runtime.rapids
      runtime.device
      runtime.held
      runtime.observe
      runtime.load
      runtime.stage
      runtime.run
      runtime.warm
      adapter.data
      adapter.fallback
      adapter.run
      adapter.transparent
      .
      files.input
      files.generate
      files.output
      files
      algorithm.support
      algorithm
      algorithm.learning
      frame.pregel
      frame.table
      frame.ids
      frame.sql
      frame.draw
      frame.algorithm
      frame
      lib.support
      lib
      lib.learning
      scaladsl.lib
      lib.transparent
      scaladsl
      implicits
      """
          .lines()
          .map(name -> name.equals(".") ? ROOT : ROOT + "." + name)
          .toList();

  /** Packages with nothing but a page that tells those below them apart. */
  private static final Set<String> HALLS =
      Set.of(ROOT + ".graphs", ROOT + ".runtime", ROOT + ".adapter");

  private static final int MOST_FILES = 31;

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
          .importPackages(ROOT);

  private static Stream<JavaClass> classes() {
    return CLASSES.stream().filter(type -> !type.getSimpleName().equals("package-info"));
  }

  @Test
  void everyPackageHasItsPlace() {
    TreeSet<String> packages =
        classes().map(JavaClass::getPackageName).collect(toCollection(TreeSet::new));
    assertThat(packages).containsExactlyInAnyOrderElementsOf(ORDER);
  }

  @Test
  void noArrowGoesUp() {
    TreeSet<String> up =
        classes()
            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .filter(
                arrow ->
                    ORDER.indexOf(arrow.getTargetClass().getBaseComponentType().getPackageName())
                        > ORDER.indexOf(arrow.getOriginClass().getPackageName()))
            .map(
                arrow ->
                    arrow.getOriginClass().getName()
                        + " -> "
                        + arrow.getTargetClass().getBaseComponentType().getName())
            .map(arrow -> arrow.replaceAll("\\$\\w+", "").replace(ROOT + ".", ""))
            .collect(toCollection(TreeSet::new));
    assertThat(up).isEmpty();
  }

  @Test
  void everyFolderIsSmallAndHasAPage() throws IOException {
    Path sources = Path.of("src/main/java");
    List<Path> files;
    try (Stream<Path> all = Files.walk(sources)) {
      files = all.filter(file -> file.toString().endsWith(".java")).toList();
    }
    Map<Path, List<Path>> folders = files.stream().collect(groupingBy(Path::getParent));
    for (Path folder : folders.keySet()) {
      assertThat(folders.get(folder))
          .as("files of %s", folder)
          .hasSizeLessThanOrEqualTo(MOST_FILES)
          .contains(page(folder));
      String text = Files.readString(page(folder)).replaceAll("\\s+(\\*\\s+)?", " ");
      if (!HALLS.contains(sources.relativize(folder).toString().replace('/', '.'))) {
        assertThat(text).as("page of %s", folder).contains("Begin with ", "May use: ");
      }
    }
  }

  private static Path page(Path folder) {
    return folder.resolve("package-info.java");
  }
}
