package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What users get: everything they need and nothing that Spark already has. */
@Tag("smoke")
class PackagedJarsTest {
  private static final String JOB = "org/sparkgpugraph/examples/GraphJob.class";

  /** What is in each jar that somebody else wrote, by the name of its licence's file. */
  private static final Map<String, String> LICENSES =
      Map.of(
          "asm.txt", "Redistributions in binary form must reproduce the above copyright",
          "picocli.txt", "Apache License",
          "jcuda.txt", "Copyright (c) 2009",
          "jna.txt", "Apache License",
          "libffi.txt", "Anthony Green");

  static Stream<Path> jars() {
    return Stream.of(Product.libraryJar(), Product.examplesJar());
  }

  @ParameterizedTest
  @MethodSource("jars")
  void classesAreTheProductsOwnOrRelocated(Path jar) throws IOException {
    List<String> files = Jars.files(jar);
    assertThat(files).contains("org/sparkgpugraph/GpuPregel.class");
    assertThat(files).anyMatch(f -> f.startsWith("org/sparkgpugraph/shaded/asm/tree/"));
    assertThat(files)
        .allMatch(
            f ->
                f.startsWith("org/sparkgpugraph/")
                    || f.startsWith("META-INF/")
                    || jar.equals(Product.examplesJar()) && reachesGpus(f))
        .filteredOn(f -> f.startsWith("META-INF/versions/"))
        .isEqualTo(
            jar.equals(Product.examplesJar()) ? List.of("META-INF/versions/17/" + JOB) : List.of());
    assertThat(files)
        .noneMatch(f -> f.startsWith("META-INF/") && f.matches(".*\\.(SF|RSA|DSA)"))
        .doesNotHaveDuplicates();
  }

  /** JCuda and JNA cannot be relocated: their native libraries know the names of their classes. */
  private static boolean reachesGpus(String file) {
    return file.startsWith("jcuda/")
        || file.startsWith("com/sun/jna/")
        || file.startsWith("lib/libJCudaDriver-");
  }

  @Test
  void theLibraryJarHasTheKernelsAndLeavesJcudaAndJnaToTheUser() throws IOException {
    assertThat(Jars.files(Product.libraryJar()))
        .contains(
            "org/sparkgpugraph/kernels/sgg/base.cuh",
            "org/sparkgpugraph/kernels/sgg/superstep.cuh",
            "org/sparkgpugraph/engine/cuda/CudaDevices.class")
        .noneMatch(PackagedJarsTest::reachesGpus);
  }

  @Test
  void theExamplesJarHasWhatReachesGpusOnLinux() throws IOException {
    assertThat(Jars.files(Product.examplesJar()))
        .contains(
            "jcuda/driver/JCudaDriver.class",
            "com/sun/jna/Native.class",
            "com/sun/jna/linux-x86-64/libjnidispatch.so")
        .anyMatch(f -> f.matches("lib/libJCudaDriver-.*-linux-x86_64\\.so"))
        .noneMatch(f -> f.endsWith(".dll") || f.endsWith(".jnilib"));
    assertThat(text(Product.examplesJar(), "META-INF/NOTICE")).contains("JCuda", "JNA", "MIT");
  }

  @ParameterizedTest
  @MethodSource("jars")
  void noClassNamesAsmOrPicocliByTheirOwnPackages(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      for (String name : Jars.files(jar)) {
        if (name.endsWith(".class")) {
          byte[] bytes;
          try (var in = file.getInputStream(file.getEntry(name))) {
            bytes = in.readAllBytes();
          }
          String text = new String(bytes, StandardCharsets.ISO_8859_1);
          // Opcodes: javac leaves the name behind where it has put in the constant's value.
          String used = text.replace("org/objectweb/asm/Opcodes", "");
          assertThat(used.contains("org/objectweb/asm")).as(name + " names ASM").isFalse();
          assertThat(used.contains("Lpicocli/")).as(name + " names picocli").isFalse();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("jars")
  void licenseAndNoticeAreInside(Path jar) throws IOException {
    assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
    assertThat(text(jar, "META-INF/NOTICE")).contains("spark-gpu-graph", "ASM", "BSD 3-Clause");
  }

  @ParameterizedTest
  @MethodSource("jars")
  void theLicenceOfEverythingInsideIsInside(Path jar) throws IOException {
    Set<String> names = jar.equals(Product.examplesJar()) ? LICENSES.keySet() : Set.of("asm.txt");
    assertThat(Jars.files(jar))
        .filteredOn(f -> f.startsWith("META-INF/licenses/"))
        .containsExactlyInAnyOrderElementsOf(
            names.stream().map(name -> "META-INF/licenses/" + name).toList());
    for (String name : names) {
      assertThat(text(jar, "META-INF/licenses/" + name)).contains(LICENSES.get(name));
      assertThat(text(jar, "META-INF/NOTICE")).contains("META-INF/licenses/" + name);
    }
  }

  /** This Java takes the classes for older ones when it is told to be one. */
  @Test
  void belowJava17TheJobSaysWhatIsNeeded(@TempDir Path scratch) throws Exception {
    Command.Ended ended =
        Command.run(
            scratch,
            Map.of(),
            "",
            List.of(
                Command.ofJdk("java"),
                "-Djdk.util.jar.version=11",
                "-cp",
                Product.examplesJar().toString(),
                "org.sparkgpugraph.examples.GraphJob",
                "--help"));
    assertThat(ended.status()).as("%s", ended).isEqualTo(1);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err())
        .as("%s", ended)
        .startsWith("GraphJob: this is Java ")
        .contains("but 17 or newer is needed", "JAVA_HOME")
        .hasLineCount(1);
    try (JarFile file = new JarFile(Product.examplesJar().toFile());
        var in = new DataInputStream(file.getInputStream(file.getEntry(JOB)))) {
      assertThat(in.readInt()).isEqualTo(0xcafebabe);
      assertThat(in.readUnsignedShort()).as("minor version").isZero();
      assertThat(in.readUnsignedShort()).as("class file version of Java 8").isEqualTo(52);
    }
  }

  /** Whoever depends on a jar has only its pom, and none of the build's profiles. */
  @ParameterizedTest
  @MethodSource("jars")
  void thePublishedPomSaysWhatTheJarWasBuiltWith(Path jar) throws IOException {
    String name = jar.getFileName().toString();
    String pom = Files.readString(jar.resolveSibling("published.pom"));
    assertThat(pom)
        .contains("<artifactId>" + name.substring(0, name.indexOf('-', name.indexOf('_'))) + "<")
        .doesNotContain("${", "<parent>", "spark-gpu-graph-kernels", "org.ow2.asm", "picocli");
    if (jar.equals(Product.libraryJar())) {
      assertThat(pom).contains("<artifactId>jna<", "<classifier>linux-x86_64<");
    }
  }

  @Test
  void onlyTheExamplesJarHasTheJobsAndTheirCommandLine() throws IOException {
    assertThat(Jars.files(Product.examplesJar()))
        .contains("org/sparkgpugraph/examples/GraphJob.class")
        .contains("org/sparkgpugraph/shaded/picocli/CommandLine.class");
    assertThat(Jars.files(Product.libraryJar()))
        .noneMatch(f -> f.startsWith("org/sparkgpugraph/examples/"))
        .noneMatch(f -> f.startsWith("org/sparkgpugraph/shaded/picocli/"));
  }

  private static String text(Path jar, String name) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      assertThat(file.getEntry(name)).as(jar + " has no " + name).isNotNull();
      try (var in = file.getInputStream(file.getEntry(name))) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }
}
