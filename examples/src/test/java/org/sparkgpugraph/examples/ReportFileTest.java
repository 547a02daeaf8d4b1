package org.sparkgpugraph.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The page that {@code GraphJob --report} writes. */
class ReportFileTest extends CommandTrial {
  private static Document page(Path file) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(Files.readString(file))));
  }

  private static List<Element> all(Document page, String name) {
    NodeList found = page.getElementsByTagName(name);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }

  @Test
  void aReportIsOneFileWithTheChartsOfTheRun() throws Exception {
    Path report = folder.resolve("run.html");
    String output = folder.resolve("out").toString();
    assertThat(
            run(
                "bfs",
                "--rmat",
                "8",
                "--source",
                "0",
                "--partitions",
                "2",
                "--engine",
                "cpu",
                "--output",
                output,
                "--report",
                report.toString()))
        .as(() -> errText)
        .isZero();
    assertThat(outText).contains("report " + report);
    Document page = page(report);
    String text = page.getDocumentElement().getTextContent();
    assertThat(text)
        .contains("GraphJob bfs --rmat 8", "engine cpu (the configuration asks for it)")
        .contains("Run 0: Bfs", "converged", "load ");
    assertThat(all(page, "svg"))
        .extracting(svg -> svg.getAttribute("class"))
        .contains("chart parts", "chart active", "chart time", "chart bytes", "chart executors");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("run.html", "out");
    }
    // It needs nothing else.
    assertThat(all(page, "script")).isEmpty();
    assertThat(all(page, "link")).isEmpty();
    assertThat(all(page, "img")).isEmpty();
    assertThat(all(page, "a"))
        .isNotEmpty()
        .allMatch(link -> link.getAttribute("href").startsWith("#run-"));
    assertThat(Files.readString(report)).doesNotContain("url(", "@import");
    assertThat(all(page, "h2")).singleElement().matches(h -> h.getAttribute("id").equals("run-0"));
  }

  /** Two emulated GPUs: a bar for each, and what each held. */
  @Test
  void gpusHaveBarsOfTheirOwn() throws Exception {
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(place -> Files.isExecutable(Path.of(place, "g++"))),
        "the emulated GPU needs g++");
    Path report = folder.resolve("run.html");
    String number = "spark.gpugraph.emulated.devices";
    SparkSession.active().sparkContext().setLocalProperty(number, "2");
    int status;
    try {
      status =
          run(
              "bfs",
              "--rmat",
              "7",
              "--source",
              "0",
              "--partitions",
              "2",
              "--engine",
              "emulated",
              "--output",
              folder.resolve("out").toString(),
              "--report",
              report.toString());
    } finally {
      SparkSession.active().sparkContext().setLocalProperty(number, null);
    }
    assertThat(status).as(() -> errText).isZero();
    Document page = page(report);
    Element devices =
        all(page, "svg").stream()
            .filter(svg -> svg.getAttribute("class").equals("chart devices"))
            .findFirst()
            .orElseThrow();
    assertThat(devices.getTextContent())
        .contains("emulated GPU 0, executor driver on", "emulated GPU 1, executor driver on");
    Element executors =
        all(page, "svg").stream()
            .filter(svg -> svg.getAttribute("class").equals("chart executors"))
            .findFirst()
            .orElseThrow();
    // Each has computed.
    assertThat(executors.getTextContent()).containsPattern("emulated GPU 1kernels: [1-9.]+");
    assertThat(page.getDocumentElement().getTextContent()).contains("engine emulated");
  }

  @Test
  void aJobThatFailsHasAReportToo() throws Exception {
    Path report = folder.resolve("run.html");
    assertThat(
            run(
                "sssp",
                "--rmat",
                "5",
                "--source",
                "777777",
                "--output",
                folder.resolve("out").toString(),
                "--report",
                report.toString()))
        .isEqualTo(1);
    assertThat(page(report).getDocumentElement().getTextContent())
        .contains("GraphJob sssp", "No graph program or algorithm has run yet");
  }

  @Test
  void anEstimateIsToldBeforeAnythingIsLoaded() {
    assertThat(run("sssp", "--rmat", "10", "--weighted", "--source", "1", "--estimate"))
        .as(() -> errText)
        .isZero();
    assertThat(outText)
        .containsPattern("about \\d{3} vertices, 16,384 edges")
        .contains("executors: 1", "heap: 1 MB while it is loaded", "GPU memory: 1 MB");
    assertThat(errText).doesNotContain("loaded");
    String output = folder.resolve("out").toString();
    assertThat(run("bfs", "--rmat", "6", "--source", "0", "--estimate", "--output", output))
        .as(() -> errText)
        .isZero();
    assertThat(outText).contains("executors: 1", "result: ");
    assertThat(Path.of(output, "_SUCCESS")).exists();
  }

  @Test
  void aReportNeedsAFileAndAnOutput() {
    assertThat(
            run(
                "bfs",
                "--rmat",
                "4",
                "--source",
                "0",
                "--output",
                folder.resolve("out").toString(),
                "--report",
                folder.toString()))
        .isEqualTo(1);
    assertThat(errText).contains("--report " + folder + " is a directory: name a file in it");
    assertThat(folder.resolve("out")).doesNotExist();
    assertThat(run("bfs", "--rmat", "4", "--source", "0", "--explain", "--report", "x"))
        .isEqualTo(2);
    assertThat(errText).contains("--report only goes with --output");
  }
}
