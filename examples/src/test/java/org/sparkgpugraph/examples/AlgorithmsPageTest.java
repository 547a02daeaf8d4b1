package org.sparkgpugraph.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.examples.algorithms.Algorithm;
import org.sparkgpugraph.examples.algorithms.Algorithm.Takes;
import org.sparkgpugraph.lib.PageRank;
import picocli.CommandLine;

/** The pages and the help name what there is, all of it, and nothing else. */
@Tag("any-spark")
class AlgorithmsPageTest {
  private static final Path DOCS = Path.of("..", "docs");

  /** Names of commands and classes in backquotes in the rows of the page's table. */
  private static Set<String> inTable(int column) throws IOException {
    Set<String> names = new TreeSet<>();
    for (String line : Files.readAllLines(DOCS.resolve("algorithms.md"))) {
      String[] cells = line.split("\\|");
      if (line.startsWith("| ") && cells.length > column) {
        Pattern.compile("`([^`]+)`")
            .matcher(cells[column])
            .results()
            .forEach(found -> names.add(found.group(1)));
      }
    }
    return names;
  }

  @Test
  void everyCommandIsInTheTableAndTheHelp() throws IOException {
    assertThat(inTable(3)).isEqualTo(new TreeSet<>(Algorithm.names()));
    String help = new CommandLine(new GraphJob(System.out, System.err)).getUsageMessage();
    // Options name algorithms too, but tell nobody what there is.
    String list =
        help.substring(help.indexOf("Algorithms:"), help.indexOf("All paths are Hadoop paths"));
    String usage = Files.readString(DOCS.resolve("usage.md"));
    for (String name : Algorithm.names()) {
      // As a word; Graphalytics' names are abbreviated to what tells them apart.
      String word = name.replace("graphalytics-", "(graphalytics)?-");
      String alone = "(?<![\\w-])" + word + "(?![\\w-])";
      assertThat(list).containsPattern(alone);
      assertThat(usage).containsPattern(alone);
    }
  }

  /** The help of an option names the algorithms that take it, all of them, and no other. */
  @Test
  void optionsNameWhoTakesThem() {
    CommandLine command = new CommandLine(new GraphJob(System.out, System.err));
    Map<String, Set<Takes>> options =
        Map.of(
            "--source", Set.of(Takes.SOURCE, Takes.OPTIONAL_SOURCE),
            "--sources", Set.of(Takes.SOURCES),
            "--sample", Set.of(Takes.SAMPLE),
            "--ground", Set.of(Takes.GROUND),
            "--k", Set.of(Takes.K),
            "--damping", Set.of(Takes.DAMPING),
            "--resolution", Set.of(Takes.RESOLUTION),
            "--seed", Set.of(Takes.SEED),
            "--tolerance",
                Set.of(Takes.TOLERANCE, Takes.ZERO_TOLERANCE, Takes.ALTERNATIVE_TOLERANCE),
            "--weighted", Set.of(Takes.WEIGHTS, Takes.OPTIONAL_WEIGHTS));
    options.forEach(
        (option, taken) -> {
          String help = String.join(" ", command.getCommandSpec().findOption(option).description());
          assertThat(names(a -> help.matches("(?s).*(?<![\\w-])" + a.name() + "(?![\\w-]).*")))
              .as(option)
              .isNotEmpty()
              .isEqualTo(names(algorithm -> taken.stream().anyMatch(algorithm::takes)));
        });
  }

  private static List<String> names(Predicate<Algorithm> which) {
    return Algorithm.ALL.stream().filter(which).map(Algorithm::name).toList();
  }

  @Test
  void everyClassIsInTheTable() throws Exception {
    assertThat(inTable(2)).containsAll(classes());
    assertThat(classes()).hasSizeGreaterThan(20);
  }

  /** What the launcher takes, and lists in its help, are the classes that can be started. */
  @Test
  void everyJobIsInTheLauncher() throws IOException {
    String launcher = Files.readString(Path.of("run"));
    Path sources = Path.of("src/main/java/org/sparkgpugraph/examples");
    Path measuring = Path.of("../benchmarks/src/main/java/org/sparkgpugraph/benchmarks");
    Set<String> jobs = startedIn(sources);
    assertThat(listed(launcher, "jobs")).isEqualTo(jobs);
    // Those that take the options of a job; benchmarks/run starts the others.
    Set<String> besideJobs = startedIn(measuring);
    besideJobs.retainAll(listed(launcher, "measuring"));
    assertThat(listed(launcher, "measuring")).isEqualTo(besideJobs);
    String help = launcher.substring(launcher.indexOf("Jobs:"), launcher.indexOf("Options:"));
    jobs.addAll(besideJobs);
    for (String job : jobs) {
      assertThat(help).containsPattern("\n  " + job + "  ");
    }
  }

  private static Set<String> startedIn(Path sources) throws IOException {
    Set<String> started = new TreeSet<>();
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        if (Files.readString(file).contains("public static void main(")) {
          started.add(file.getFileName().toString().replace(".java", ""));
        }
      }
    }
    return started;
  }

  private static Set<String> listed(String launcher, String variable) {
    String names = launcher.replaceAll("(?s).*\nreadonly " + variable + "=\"([^\"]*)\".*", "$1");
    return new TreeSet<>(List.of(names.split(" ")));
  }

  /** Public classes of the library with a method that runs something. */
  private static List<String> classes() throws Exception {
    URI code = PageRank.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    if (code.getPath().endsWith(".jar")) {
      try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + code), Map.of())) {
        return classes(jar.getPath("/"));
      }
    }
    return classes(Path.of(code));
  }

  private static List<String> classes(Path root) throws Exception {
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.list(root.resolve("org/sparkgpugraph/lib"))) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (!name.matches("\\w+\\.class")) {
          continue;
        }
        name = name.replace(".class", "");
        Class<?> type = Class.forName("org.sparkgpugraph.lib." + name);
        if (Modifier.isPublic(type.getModifiers())
            && Arrays.stream(type.getMethods())
                .anyMatch(method -> method.getName().startsWith("explain"))) {
          names.add(name);
        }
      }
    }
    return names;
  }
}
