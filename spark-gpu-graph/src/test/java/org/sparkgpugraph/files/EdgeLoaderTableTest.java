package org.sparkgpugraph.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.files.input.BadInputException;

/** Parquet and tables. */
class EdgeLoaderTableTest {
  @TempDir Path folder;

  private static Dataset<Row> table(String sql) {
    return LocalSpark.session().sql(sql);
  }

  @Test
  void readsATable() {
    Dataset<Row> table = table("select * from values (1L, 2L, 0.5D), (-3L, 4L, 1D) as t(a, b, w)");
    assertThat(LocalSpark.edges(EdgeLoader.fromDataset(table, "a", "b", null)))
        .containsExactlyInAnyOrder("1>2", "-3>4");
    assertThat(LocalSpark.edges(EdgeLoader.fromDataset(table, "a", "b", "w")))
        .containsExactlyInAnyOrder("1>2:0.5", "-3>4:1.0");
    assertThat(LocalSpark.edges(EdgeLoader.fromDataset(table, "a", "b", "w", true)))
        .containsExactlyInAnyOrder("1>2:0.5", "2>1:0.5", "-3>4:1.0", "4>-3:1.0");
  }

  @Test
  void readsNarrowTypesAndStrangeNames() {
    Dataset<Row> table =
        table(
            "select cast(1 as int) as `from.id`, cast(2 as smallint) as `to``id`,"
                + " cast(2.5 as decimal(5,2)) as w");
    assertThat(LocalSpark.edges(EdgeLoader.fromDataset(table, "from.id", "to`id", "w")))
        .containsExactly("1>2:2.5");
  }

  @Test
  void readsParquet() {
    String path = folder.resolve("edges").toString();
    LocalSpark.session()
        .range(50_000)
        .selectExpr("id as src", "id + 1 as dst", "cast(id as double) as weight", "'x' as other")
        .write()
        .parquet(path);
    assertThat(
            LocalSpark.edges(
                EdgeLoader.parquet(LocalSpark.session(), path, null, null, "weight", false)))
        .hasSize(50_000)
        .contains("0>1:0.0", "49999>50000:49999.0");
    assertThat(
            LocalSpark.edges(
                EdgeLoader.parquet(
                    LocalSpark.session(), path + "/*.parquet", "dst", "src", null, false)))
        .hasSize(50_000)
        .contains("1>0", "50000>49999");
    assertThatThrownBy(
            () -> EdgeLoader.parquet(LocalSpark.session(), path, "from", null, null, false))
        .isInstanceOf(BadInputException.class)
        .hasMessage("the table has no column 'from', only [src, dst, weight, other]");
  }

  @Test
  void refusesWrongTypes() {
    Dataset<Row> table = table("select 1.5D as a, 2L as b, 3L as c, 'x' as w");
    assertThatThrownBy(() -> EdgeLoader.fromDataset(table, "a", "b", null))
        .isInstanceOf(BadInputException.class)
        .hasMessage("column 'a' is of type double, but vertex ids are integers: cast it to bigint");
    assertThatThrownBy(() -> EdgeLoader.fromDataset(table, "b", "c", "w"))
        .hasMessage("column 'w' is of type string, but weights are numbers: cast it to double");
  }

  @Test
  void refusesNulls() {
    Dataset<Row> table = table("select * from values (1L, 2L, 1D), (5L, null, 2D) as t(a, b, w)");
    assertThat(
            LocalSpark.badInput(
                catchThrowable(
                    () -> LocalSpark.edges(EdgeLoader.fromDataset(table, "a", "b", "w")))))
        .hasMessage(
            "column 'b' of the row with a = 5, w = 2.0 is null: filter such rows out first");
  }

  @Test
  void refusesWhatIsNoParquet() throws Exception {
    Path file = Files.writeString(folder.resolve("a.parquet"), "1 2\n".repeat(20));
    assertThatThrownBy(
            () ->
                EdgeLoader.parquet(LocalSpark.session(), file.toString(), null, null, null, false))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("cannot be read as Parquet")
        .hasMessageContaining("is not a Parquet file")
        .hasMessageEndingWith("check its format");
    assertThatThrownBy(
            () ->
                EdgeLoader.parquet(LocalSpark.session(), folder + "/none", null, null, null, false))
        .hasMessage("no file matches file:" + folder + "/none: check the path");
  }

  @Test
  void refusesDoubledColumns() {
    Dataset<Row> table = table("select 1L as a, 2L as b, 3L as B, 4D as w");
    assertThatThrownBy(() -> EdgeLoader.fromDataset(table, "a", "A", null))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("column 'A' is named twice, in [a, A]");
    assertThatThrownBy(() -> EdgeLoader.fromDataset(table, "a", "w", "w"))
        .hasMessageStartingWith("column 'w' is named twice, in [a, w, w]");
    assertThatThrownBy(() -> EdgeLoader.fromDataset(table, "a", "b", null))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("the table has two columns 'b' (capitals count for nothing), of [");
  }

  private static java.util.List<String> parquet(String path) {
    return LocalSpark.edges(
        EdgeLoader.parquet(LocalSpark.session(), path, null, null, null, false));
  }

  @Test
  void leavesOutWhatIsNoParquetBesideFilesThatAre() throws Exception {
    String path = folder.resolve("edges").toString();
    LocalSpark.session().range(3).selectExpr("id as src", "id + 1 as dst").write().parquet(path);
    for (String name : new String[] {"README.md", "zz.txt", "empty"}) {
      Files.writeString(folder.resolve("edges").resolve(name), name.equals("empty") ? "" : "Hi\n");
    }
    assertThat(parquet(path)).containsExactlyInAnyOrder("0>1", "1>2", "2>3");
    assertThat(parquet(path + "/*")).containsExactlyInAnyOrder("0>1", "1>2", "2>3");
    assertThatThrownBy(() -> parquet(path + "/README.md"))
        .isInstanceOf(BadInputException.class)
        .hasMessage("file:" + path + "/README.md is not a Parquet file: check its format");
    assertThatThrownBy(() -> parquet(path + "/*.{md,txt}"))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("there are no Parquet files in " + path + "/*.{md,txt}, only ");
  }

  @Test
  void readsParquetOfOddNames() throws Exception {
    Path edges = folder.resolve("edges");
    LocalSpark.session()
        .range(3)
        .coalesce(1)
        .selectExpr("id as src", "id + 1 as dst")
        .write()
        .parquet(edges.toString());
    Path file;
    try (var files = Files.list(edges)) {
      file = files.filter(f -> f.toString().endsWith(".parquet")).findFirst().get();
    }
    for (String name : new String[] {"f[1].parquet", "no-suffix"}) {
      Path copy = Files.copy(file, folder.resolve(name));
      assertThat(parquet(copy.toString())).hasSize(3);
    }
    Path colon = Files.copy(file, folder.resolve("x:y.parquet"));
    assertThatThrownBy(() -> parquet(colon.toString()))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "file:"
                + colon
                + ": Hadoop cannot read Parquet from a name with a colon: rename the file");
  }

  @Test
  void aDamagedFileAmongOthersIsNamed() throws Exception {
    Path edges = folder.resolve("edges");
    LocalSpark.session()
        .range(30)
        .repartition(3)
        .selectExpr("id as src", "id + 1 as dst")
        .write()
        .parquet(edges.toString());
    Path last;
    try (var files = Files.list(edges)) {
      last = files.filter(f -> f.toString().endsWith(".parquet")).sorted().toList().get(2);
    }
    Files.delete(edges.resolve("." + last.getFileName() + ".crc"));
    Files.writeString(last, "no Parquet at all, but long enough");
    assertThat(LocalSpark.badInput(catchThrowable(() -> parquet(edges.toString()))))
        .hasMessageContaining(last.getFileName().toString())
        .hasMessageContaining("is not a Parquet file");
  }
}
