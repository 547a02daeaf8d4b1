package org.sparkgpugraph.architecture;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the documentation points to is there. */
@Tag("any-spark-4")
class DocumentationTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK =
      Pattern.compile("\\]\\((?!\\w+:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  /** A word of two humps or more in code font, with the method that may follow. */
  private static final Pattern CLASS =
      Pattern.compile("`((?:[A-Z][a-z0-9]+|[A-Z]+(?=[A-Z]|`|\\.)){2,})(?:\\.\\w+)?`");

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(
              Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CHANGELOG.md")),
              docs.filter(file -> file.toString().endsWith(".md")))
          .toList();
    }
  }

  /** As GitHub makes the name of a heading. */
  private static Set<String> anchors(Path page) throws IOException {
    return HEADING
        .matcher(Files.readString(page))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(text -> text.replaceAll("[^\\p{L}\\p{N} _-]", "").strip().replace(' ', '-'))
        .collect(toSet());
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    TreeSet<String> dead = new TreeSet<>();
    int links = 0;
    for (Path page : pages()) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        links++;
        Path target =
            link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1)).normalize();
        if (!Files.exists(target)
            || link.group(2) != null && !anchors(target).contains(link.group(2))) {
          dead.add(ROOT.relativize(page) + ": " + link.group());
        }
      }
    }
    assertThat(dead).isEmpty();
    assertThat(links).isGreaterThan(30);
  }

  @Test
  void classesThatTheArchitecturePageNamesExist() throws IOException {
    Set<String> sources;
    try (Stream<Path> all = Files.walk(ROOT)) {
      sources =
          all.map(file -> file.getFileName().toString())
              .filter(name -> name.matches("\\w+\\.(java|scala)"))
              .map(name -> name.substring(0, name.lastIndexOf('.')))
              .collect(toSet());
    }
    TreeSet<String> named = new TreeSet<>();
    Matcher name = CLASS.matcher(Files.readString(ROOT.resolve("docs/architecture.md")));
    while (name.find()) {
      named.add(name.group(1));
    }
    assertThat(named).hasSizeGreaterThan(30);
    named.removeAll(sources);
    assertThat(named).as("not among the sources").isEmpty();
  }
}
