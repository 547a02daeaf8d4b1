package org.sparkgpugraph.files.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.files.EdgeLoader;
import org.sparkgpugraph.files.LocalSpark;

/** Input paths with names that Hadoop does not like, and those that hold nothing. */
@Tag("any-spark")
class InputFilesTest {
  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static List<String> load(String path) {
    return LocalSpark.edges(
        EdgeLoader.text(LocalSpark.context(), path, EdgeTextFormat.edgeList(), 1));
  }

  private static void assertRefused(String path, String message) {
    assertThatThrownBy(() -> load(path)).isInstanceOf(BadInputException.class).hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x:y.e", "f[1].e", "a*b.e", "{a}.e", "a?.e", "_named.e", ".named.e"})
  void aFileOfJustThisNameIsRead(String name) throws IOException {
    file("in/x:y.e", "9 9\n");
    file("in/f1.e", "8 8\n");
    Path file = file("in/" + name, "1 2\n3 4\n");
    assertThat(load(file.toString())).containsExactly("1>2", "3>4");
    assertThat(load("file:" + file)).containsExactly("1>2", "3>4");
  }

  @Test
  void aFolderOfSuchNamesIsRead() throws IOException {
    file("in/x:y.e", "1 2\n");
    file("in/f[1].e", "3 4\n");
    file("in/deep:er/z.e", "5 6\n");
    assertThat(load(folder + "/in")).containsExactlyInAnyOrder("1>2", "3>4", "5>6");
    assertThat(load(folder + "/in/x:y.e," + folder + "/in/f[1].e")).containsExactly("1>2", "3>4");
  }

  @Test
  void aLineInAFileWithAColonIsNamed() throws IOException {
    Path file = file("x:y.e", "1 2\n3 x\n");
    assertThat(
            LocalSpark.badInput(
                org.assertj.core.api.Assertions.catchThrowable(() -> load(file.toString()))))
        .hasMessageStartingWith("file:" + file + ", line 2: ");
  }

  @Test
  void aRelativeNameWithAColonIsNoScheme() {
    assertThat(InputFiles.path("x:y.e")).hasToString("./x:y.e");
    String here = Path.of("").toAbsolutePath().toString();
    assertRefused("x:y.e", "no file matches file:" + here + "/x:y.e: check the path");
  }

  @Test
  void aGlobPastANameWithAColonIsNamed() throws IOException {
    file("in/x:y.e", "1 2\n");
    file("in/f1.e", "3 4\n");
    assertRefused(
        folder + "/in/*.e",
        "cannot read 'file:"
            + folder
            + "/in/*.e': Hadoop's globs cannot pass by the name 'x:y.e', which has a colon: rename"
            + " it, or give the directory or each file instead");
  }

  @Test
  void foldersOfHiddenFilesAreNamed() throws IOException {
    file("in/_a", "1 2\n");
    file("in/.b/c", "1 2\n");
    String end =
        ": all its files are hidden (2 names begin with _ or .): rename them, or give the path of"
            + " each";
    assertRefused(folder + "/in", "there is nothing to read in file:" + folder + "/in" + end);
    assertRefused(folder + "/in/*", "there is nothing to read in file:" + folder + "/in/*" + end);
    file("in/d", "1 2\n");
    assertThat(load(folder + "/in")).containsExactly("1>2");
    assertThat(InputFiles.of(folder + "/in", new Configuration()).leftOut()).isEqualTo(2);
  }

  @Test
  void commasSeparateOutsideBraces() throws IOException {
    assertThat(InputFiles.split("a,b{c,d}e,f")).containsExactly("a", "b{c,d}e", "f");
    file("a1.e", "1 2\n");
    file("a2.e", "3 4\n");
    file("b.e", "5 6\n");
    assertThat(load(folder + "/{a1,a2}.e," + folder + "/b.e"))
        .containsExactlyInAnyOrder("1>2", "3>4", "5>6");
  }

  @Test
  void filesThatCannotBeListedAreNamed() {
    for (String scheme : List.of("http", "https")) {
      assertRefused(
          scheme + "://host.invalid/g.e",
          "cannot read '"
              + scheme
              + "://host.invalid/g.e': Hadoop cannot list files over "
              + scheme
              + ": download the file first (curl -O) and read the copy");
    }
  }

  @Test
  void emptyFilesDoNoHarm() throws IOException {
    file("in/a", "");
    file("in/b", "1 2\n");
    assertThat(load(folder + "/in")).containsExactly("1>2");
  }
}
