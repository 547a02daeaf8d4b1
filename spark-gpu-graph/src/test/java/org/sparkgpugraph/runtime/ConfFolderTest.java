package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.resource.ResourceInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.runtime.cluster.TaskGpus;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What lies in conf/ works and is true. */
class ConfFolderTest {
  private static final Path CONF = Path.of(System.getProperty("basedir", "."), "..", "conf");

  @Test
  void templateNamesOnlyKeysThatExistWithTheirDefaults() throws IOException {
    Pattern line = Pattern.compile("^# (spark\\.gpugraph\\.\\S+)\\s*(\\S*)$");
    Map<String, String> defaults = new TreeMap<>();
    for (String text : Files.readAllLines(CONF.resolve("spark-defaults.conf.template"))) {
      Matcher matcher = line.matcher(text);
      if (matcher.matches()) {
        assertThat(defaults.put(matcher.group(1), matcher.group(2))).as(text).isNull();
      }
    }
    Map<String, String> expected = new TreeMap<>();
    GpuGraphConf.entries().forEach(entry -> expected.put(entry.key(), entry.defaultText()));
    assertThat(defaults)
        .as("conf/spark-defaults.conf.template has every key with its default")
        .containsExactlyEntriesOf(expected);
  }

  @Test
  void templateNamesClassesThatExist() throws IOException {
    String text = Files.readString(CONF.resolve("spark-defaults.conf.template"));
    Matcher matcher = Pattern.compile("org\\.sparkgpugraph\\.[\\w.]+").matcher(text);
    assertThat(matcher.find()).isTrue();
    String name = matcher.group();
    assertThatCode(() -> Class.forName(name)).doesNotThrowAnyException();
  }

  @Test
  void discoveryScriptListsNothingWithoutADriver(@TempDir Path bin) throws Exception {
    Discovered found = discover(bin, null);
    assertThat(found.addresses()).isEmpty();
    assertThat(found.err()).contains("no nvidia-smi on the PATH");
  }

  @Test
  void discoveryScriptListsWhatTheDriverKnows(@TempDir Path bin) throws Exception {
    assertThat(discover(bin, "echo 0").addresses()).containsExactly("0");
    assertThat(discover(bin, "printf '0\\n1\\n2\\n3\\n'").addresses())
        .containsExactly("0", "1", "2", "3");
    assertThat(discover(bin, "printf '0\\r\\n10\\r\\n'").addresses()).containsExactly("0", "10");
  }

  @Test
  void discoveryScriptAsksForIndexesAlone(@TempDir Path bin) throws Exception {
    assertThat(
            discover(bin, "[[ \"$*\" == '--query-gpu=index --format=csv,noheader' ]] && echo 5")
                .addresses())
        .containsExactly("5");
  }

  @Test
  void discoveryScriptLeavesOutWhatIsNoGpu(@TempDir Path bin) throws Exception {
    assertThat(discover(bin, "echo 'No devices were found'").addresses()).isEmpty();
    assertThat(
            discover(
                    bin,
                    "printf '%s\\n' 0 '  MIG 1g.10gb  Device  0: (UUID: MIG-4c55)' 1"
                        + " 'WARNING: infoROM is corrupted at gpu 0000:01:00.0'")
                .addresses())
        .containsExactly("0", "1");
  }

  @Test
  void discoveryScriptListsNothingWhenTheDriverFailsAndShowsWhatItSaid(@TempDir Path bin)
      throws Exception {
    Discovered found = discover(bin, "echo 7; echo 'Driver/library version mismatch' >&2; exit 18");
    assertThat(found.addresses()).isEmpty();
    assertThat(found.err()).contains("Driver/library version mismatch", "nvidia-smi failed");
  }

  /**
   * What the script said.
   *
   * @param addresses as Spark reads them from its standard output
   * @param err its standard error
   */
  private record Discovered(List<String> addresses, String err) {}

  /** Runs the script with a path that has the ordinary tools and this nvidia-smi, or none. */
  private static Discovered discover(Path bin, String nvidiaSmi) throws Exception {
    for (String tool : List.of("bash", "tr", "grep", "sed", "paste")) {
      program(bin.resolve(tool), "exec " + which(tool) + " \"$@\"");
    }
    if (nvidiaSmi != null) {
      program(bin.resolve("nvidia-smi"), nvidiaSmi);
    }
    Path script = CONF.resolve("getGpusResources.sh").toAbsolutePath();
    assertThat(script).isExecutable();
    Path err = bin.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(which("bash").toString(), script.toString()).redirectError(err.toFile());
    builder.environment().put("PATH", bin.toString());
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    ResourceInformation gpus = ResourceInformation.parseJson(output);
    // What Spark asks of it: ResourceDiscoveryScriptPlugin compares the names.
    assertThat(gpus.name()).isEqualTo(TaskGpus.RESOURCE);
    return new Discovered(List.of(gpus.addresses()), Files.readString(err));
  }

  private static void program(Path file, String body) throws IOException {
    Files.writeString(file, "#!" + which("bash") + "\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Path which(String tool) {
    for (String folder : System.getenv("PATH").split(":")) {
      Path candidate = Path.of(folder, tool);
      if (Files.isExecutable(candidate)) {
        return candidate;
      }
    }
    throw new IllegalStateException(tool + " is not on the PATH");
  }

  @Test
  void templateNamesNoSettingThatTakesGpusFromPlainTasks() throws IOException {
    assertThat(Files.readAllLines(CONF.resolve("spark-defaults.conf.template")))
        .noneMatch(line -> line.matches("#?\\s*spark\\.task\\.resource\\.gpu\\.amount\\s.*"));
  }

  @Test
  void yarnFilesAreHadoopConfiguration() throws IOException {
    Configuration conf = new Configuration(false);
    for (String file :
        List.of("resource-types.xml", "yarn-node-manager.xml", "yarn-capacity-scheduler.xml")) {
      conf.addResource(CONF.resolve(file).toUri().toURL());
    }
    assertThat(conf.get("yarn.resource-types")).isEqualTo("yarn.io/gpu");
    assertThat(conf.get("yarn.nodemanager.resource-plugins")).isEqualTo("yarn.io/gpu");
    assertThat(conf.get("yarn.nodemanager.resource-plugins.gpu.allowed-gpu-devices"))
        .isEqualTo("auto");
    assertThat(conf.get("yarn.scheduler.capacity.resource-calculator"))
        .endsWith(".DominantResourceCalculator");
  }

  @Test
  void podTemplateIsAPodWhoseFirstContainerIsSparks() throws IOException {
    Map<?, ?> pod = yaml("kubernetes-executor.yaml");
    assertThat(pod.get("apiVersion")).isEqualTo("v1");
    assertThat(pod.get("kind")).isEqualTo("Pod");
    Map<?, ?> spec = (Map<?, ?>) pod.get("spec");
    List<?> containers = (List<?>) spec.get("containers");
    assertThat(containers).hasSize(1);
    Map<?, ?> container = (Map<?, ?>) containers.get(0);
    // Spark would name it so itself; what it sets is not set here.
    assertThat(container.get("name")).isEqualTo("spark-kubernetes-executor");
    assertThat(container.keySet().stream().map(Object::toString))
        .containsExactlyInAnyOrder("name", "env", "volumeMounts");
    assertThat(container.get("env"))
        .isEqualTo(
            List.of(Map.of("name", "NVIDIA_DRIVER_CAPABILITIES", "value", "compute,utility")));
    Set<Object> volumes = new HashSet<>();
    ((List<?>) spec.get("volumes")).forEach(v -> volumes.add(((Map<?, ?>) v).get("name")));
    for (Object mount : (List<?>) container.get("volumeMounts")) {
      assertThat(volumes).contains(((Map<?, ?>) mount).get("name"));
    }
    assertThat(spec.get("tolerations"))
        .isEqualTo(
            List.of(Map.of("key", "nvidia.com/gpu", "operator", "Exists", "effect", "NoSchedule")));
  }

  private static Map<?, ?> yaml(String file) throws IOException {
    try (Reader reader = Files.newBufferedReader(CONF.resolve(file))) {
      return new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
    }
  }

  @Test
  void imageHasSparksEntryPointAndCopiesFilesThatExist() throws IOException {
    List<String[]> instructions =
        Files.readString(CONF.resolve("Dockerfile"))
            .replace("\\\n", " ")
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(line -> line.split("\\s+"))
            .toList();
    Set<String> known = Set.of("ARG", "FROM", "USER", "COPY", "ENV", "ENTRYPOINT");
    assertThat(instructions).allMatch(i -> known.contains(i[0]));
    String[] last = instructions.get(instructions.size() - 1);
    assertThat(last).containsExactly("ENTRYPOINT", "[\"/opt/entrypoint.sh\"]");
    Map<String, String> arguments = new HashMap<>();
    for (String[] instruction : instructions) {
      if (instruction[0].equals("ARG") && instruction[1].contains("=")) {
        String[] pair = instruction[1].split("=", 2);
        arguments.put(pair[0], pair[1]);
      }
    }
    // The image is that of the default line.
    String spark = org.apache.spark.package$.MODULE$.SPARK_VERSION();
    assertThat(arguments.get("SPARK"))
        .matches("3\\.5\\.\\d+-scala2\\.12-java17-ubuntu")
        .startsWith(spark.startsWith("3.5.") ? spark + "-" : "3.5.");
    for (String[] instruction : instructions) {
      if (instruction[0].equals("COPY") && !instruction[1].startsWith("--from")) {
        String source = instruction[2];
        if (source.startsWith("${")) {
          source = arguments.get(source.substring(2, source.length() - 1));
          assertThat(source).startsWith("examples/target/spark-gpu-graph-examples_2.12-");
        } else {
          assertThat(CONF.resolve("..").resolve(source)).isRegularFile();
        }
      }
    }
    // The script that the documentation and the template name is where the image has it.
    assertThat(Files.readString(CONF.resolve("spark-defaults.conf.template")))
        .contains("/opt/spark-gpu-graph/getGpusResources.sh");
  }
}
