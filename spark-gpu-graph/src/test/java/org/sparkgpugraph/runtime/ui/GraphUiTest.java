package org.sparkgpugraph.runtime.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.testing.Browser;
import org.sparkgpugraph.testing.JobProcess;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** What the tab shows, of an application that runs and in the history server. */
@Tag("any-spark-4")
class GraphUiTest {
  private static final int BLUE = 0x2b6cb0;
  private static final int ORANGE = 0xdd7a1b;
  private static final int PURPLE = 0x805ad5;
  private static final int GREEN = 0x2f855a;

  @TempDir private static Path folder;

  @BeforeAll
  static void run() throws Exception {
    JobProcess.Ended ended = JobProcess.run(GraphUiJob.class, folder.toString());
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("application: done", "history server: done");
  }

  private static String text(String page) throws IOException {
    return Files.readString(folder.resolve(page + ".html"));
  }

  /** The library's part of a page; what is not well-formed does not parse. */
  private static Document content(String page) throws Exception {
    String text = text(page);
    int begin = text.indexOf("<div class=\"sgg\">");
    assertThat(begin).as(page).isPositive();
    int end = begin;
    int depth = 0;
    do {
      int open = text.indexOf("<div", end);
      int close = text.indexOf("</div>", end);
      depth += open >= 0 && open < close ? 1 : -1;
      end = open >= 0 && open < close ? open + 4 : close + 6;
    } while (depth > 0);
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(text.substring(begin, end))));
  }

  private static List<Element> elements(Document page, String name, String ofClass) {
    List<Element> found = new ArrayList<>();
    NodeList all = page.getElementsByTagName(name);
    for (int i = 0; i < all.getLength(); i++) {
      Element element = (Element) all.item(i);
      if (List.of(element.getAttribute("class").split(" ")).contains(ofClass)) {
        found.add(element);
      }
    }
    return found;
  }

  private static int count(Element in, String name) {
    return in.getElementsByTagName(name).getLength();
  }

  @Test
  void theTabIsThereBeforeAnythingRuns() throws IOException {
    assertThat(text("empty-jobs")).contains("/graph/");
    assertThat(text("empty-runs")).contains("No graph program or algorithm has run yet");
  }

  @Test
  void aRunIsShownWhileItGoesOn() throws Exception {
    assertThat(elements(content("going-runs"), "table", "runs"))
        .singleElement()
        .satisfies(table -> assertThat(table.getTextContent()).contains("PageRank", "running"));
    content("going-run-0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"live", "history", "disk"})
  void allRunsAreInATableWithWhatWasRefused(String where) throws Exception {
    assertThat(text(where + "-jobs")).contains("/graph/");
    Document page = content(where + "-runs");
    Element runs = elements(page, "table", "runs").get(0);
    assertThat(count(runs, "tr")).isEqualTo(5);
    assertThat(runs.getTextContent())
        .contains("PageRank", "cpu: the configuration asks for it", "all iterations done")
        .contains("graphx: the program cannot be lifted")
        .contains("failed", "Long", "99,999", "33 min 28 s");
    Element refusals = elements(page, "table", "refusals").get(0);
    assertThat(count(refusals, "tr")).isEqualTo(2);
    assertThat(refusals.getTextContent())
        .contains("GraphUiJob.java:", "runs on stock GraphX", "String");
  }

  @ParameterizedTest
  @ValueSource(strings = {"live", "history", "disk"})
  void aRunHasCharts(String where) throws Exception {
    Document page = content(where + "-run-0");
    for (String chart : List.of("parts", "active", "time", "bytes", "executors")) {
      assertThat(elements(page, "svg", chart)).as(chart).hasSize(1);
    }
    // On the CPU there are none.
    assertThat(elements(page, "svg", "devices")).isEmpty();
    Element active = elements(page, "svg", "active").get(0);
    assertThat(elements(page, "path", "line")).hasSize(3);
    assertThat(active.getTextContent()).contains("superstep 5\nactive vertices: 60");
    assertThat(elements(page, "path", "layer")).hasSize(4);
    assertThat(elements(page, "svg", "executors").get(0).getTextContent())
        .contains("part 0, executor driver on", "part 1, executor driver on");
    assertThat(page.getDocumentElement().getTextContent())
        .contains("60 vertices, 120 edges", "on 2 executors");
    assertThat(elements(page, "table", "memory").get(0).getTextContent())
        .contains("part 0, executor driver on", "part 1, executor driver on", "0 B of 0 B");
  }

  @ParameterizedTest
  @ValueSource(strings = {"live", "history", "disk"})
  void whatWentWrongIsSaid(String where) throws Exception {
    assertThat(elements(content(where + "-run-1"), "div", "trouble"))
        .singleElement()
        .satisfies(
            why ->
                assertThat(why.getTextContent()).contains("cannot be lifted", "GraphUiJob.java:"));
    assertThat(elements(content(where + "-run-2"), "div", "trouble"))
        .singleElement()
        .satisfies(
            why -> assertThat(why.getTextContent()).contains("Failed: ", "weight < 0 & \"odd\""));
    assertThat(text("live-run-77")).contains("There is no run 77 here");
  }

  @ParameterizedTest
  @ValueSource(strings = {"live", "history", "disk"})
  void aHundredThousandSuperstepsAreASmallPage(String where) throws Exception {
    assertThat(text(where + "-run-3").length()).isLessThan(500_000);
    Document page = content(where + "-run-3");
    Element time = elements(page, "svg", "time").get(0);
    assertThat(count(time, "rect")).isBetween(150, 400);
    assertThat(page.getDocumentElement().getTextContent())
        .contains("A point of a chart stands for up to", "99,999; 1 active vertices");
    assertThat(time.getTextContent()).contains("kernels: 10 ms", "exchange: 5 ms", "Spark: 5 ms");
    Element devices = elements(page, "svg", "devices").get(0);
    assertThat(devices.getTextContent())
        .contains("GPU 0, executor 0 on host0", "4 GB", "GPU 1, executor 1 on host1", "8 GB");
    // Its executors did not tell, as those of earlier versions.
    assertThat(elements(page, "table", "memory")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"live", "history"})
  void aBrowserDrawsThem(String where) throws Exception {
    assumeTrue(Browser.find().isPresent(), "needs chromium on the PATH: Debian's package chromium");
    assertThat(text(where + "-dom")).contains("class=\"layer\"", "<svg", "Graph run: Long");
    BufferedImage picture = ImageIO.read(folder.resolve(where + ".png").toFile());
    int blue = Browser.pixels(picture, BLUE);
    int orange = Browser.pixels(picture, ORANGE);
    int purple = Browser.pixels(picture, PURPLE);
    assertThat(purple).isGreaterThan(10_000);
    // Kernels take twice what Spark takes, and have bars and a line of their own, too.
    assertThat(blue).isGreaterThan(3 * purple / 2);
    assertThat(orange).isGreaterThan(purple / 2);
    assertThat(Browser.pixels(picture, GREEN)).isGreaterThan(2_000);
  }
}
