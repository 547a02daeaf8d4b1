package io.sparkgpugraph.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lies in conf/ works and is true. */
class ConfFolderTest {
  private static final Path CONF = Path.of(System.getProperty("basedir", "."), "..", "conf");

  @Test
  void templateNamesOnlyKeysThatExistWithTheirDefaults() throws IOException {
    Pattern line = Pattern.compile("^# (spark\\.gpugraph\\.\\S+)\\s*(\\S*)$");
    int found = 0;
    for (String text : Files.readAllLines(CONF.resolve("spark-defaults.conf.template"))) {
      Matcher matcher = line.matcher(text);
      if (matcher.matches()) {
        found++;
        assertThat(GpuGraphConf.entry(matcher.group(1)).defaultText())
            .as(matcher.group(1))
            .isEqualTo(matcher.group(2));
      }
    }
    assertThat(found).isEqualTo(GpuGraphConf.entries().size());
  }

  @Test
  void templateNamesClassesThatExist() throws IOException {
    String text = Files.readString(CONF.resolve("spark-defaults.conf.template"));
    Matcher matcher = Pattern.compile("io\\.sparkgpugraph\\.[\\w.]+").matcher(text);
    assertThat(matcher.find()).isTrue();
    String name = matcher.group();
    assertThatCode(() -> Class.forName(name)).doesNotThrowAnyException();
  }

  @Test
  void discoveryScriptListsNothingWithoutADriver(@TempDir Path bin) throws Exception {
    assertThat(discover(bin, null)).isEqualTo("{\"name\": \"gpu\", \"addresses\": []}");
  }

  @Test
  void discoveryScriptListsWhatTheDriverKnows(@TempDir Path bin) throws Exception {
    assertThat(discover(bin, "printf '0\\n1\\n10\\n'"))
        .isEqualTo("{\"name\": \"gpu\", \"addresses\": [\"0\",\"1\",\"10\"]}");
  }

  @Test
  void discoveryScriptListsNothingWhenTheDriverFails(@TempDir Path bin) throws Exception {
    assertThat(discover(bin, "echo 'No devices were found'"))
        .isEqualTo("{\"name\": \"gpu\", \"addresses\": []}");
    assertThat(discover(bin, "echo 7; exit 9")).isEqualTo("{\"name\": \"gpu\", \"addresses\": []}");
  }

  /** Runs the script with a path that has the ordinary tools and this nvidia-smi, or none. */
  private static String discover(Path bin, String nvidiaSmi) throws Exception {
    for (String tool : List.of("bash", "tr", "grep", "sed", "paste")) {
      program(bin.resolve(tool), "exec " + which(tool) + " \"$@\"");
    }
    if (nvidiaSmi != null) {
      program(bin.resolve("nvidia-smi"), nvidiaSmi);
    }
    Path script = CONF.resolve("getGpusResources.sh").toAbsolutePath();
    assertThat(script).isExecutable();
    ProcessBuilder builder = new ProcessBuilder(which("bash").toString(), script.toString());
    builder.environment().put("PATH", bin.toString());
    builder.redirectErrorStream(true);
    Process process = builder.start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    assertThat(process.waitFor()).as(output).isZero();
    return output;
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
  void resourceTypesAreXml() throws Exception {
    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(CONF.resolve("resource-types.xml").toFile());
    assertThat(document.getElementsByTagName("value").item(0).getTextContent())
        .isEqualTo("yarn.io/gpu");
  }
}
