package org.sparkgpugraph.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.SharedSpark;

/** Each expression that is lowered gives what Spark's own select gives, null by null. */
class PregelExpressionsTest {
  private static final long SEED = 1234;
  private static final RunOptions LIFTED =
      RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER);

  private static final List<String> ARITHMETIC =
      """
      a + b
      a - b
      a * b
      -a
      +a
      abs(b)
      l + m
      l - a
      l * m
      -m
      abs(l)
      d + e
      d - e
      d * e
      -d
      abs(e)
      f + g
      f * g
      d / e
      a / b
      l / 3
      f / g
      a div b
      l div m
      l div 7
      a % b
      l % m
      d % e
      pmod(a, b)
      pmod(l, m)
      pmod(d, e)
      mod(a, 3)
      s + s
      s * y
      -y
      abs(s)
      y % s
      a & b
      l | m
      a ^ b
      ~l
      shiftleft(a, 3)
      shiftright(l, b)
      shiftrightunsigned(a, 2)
      a + 1
      1 + 2 * 3
      d * 0.85 + 0.15
      try_add(a, b)
      try_subtract(l, m)
      try_multiply(l, m)
      try_divide(d, e)
      """
          .lines()
          .toList();

  private static final List<String> LOGIC =
      """
      a = b
      a <> b
      a < b
      a <= b
      a > b
      a >= b
      a <=> b
      l = m
      l <=> m
      l < m
      d = e
      d <> e
      d < e
      d <= e
      d > e
      d >= e
      d <=> e
      f < g
      f = g
      f >= g
      d > 0.5
      d < 1e300
      d <= 0
      p
      not p
      p and q
      p or q
      p = q
      p <=> q
      (a > 0) and (b < 3) or (d > e)
      a > 0 and b / a > 1
      a is null
      p is not null
      isnan(d)
      isnan(f)
      nanvl(d, e)
      a in (1, 2, 3)
      a in (1, null, 3)
      l in (m, a, 5)
      a not in (b, 2)
      d between e and 100
      if(a > b, a, b)
      if(p, d, e)
      case when a > 0 then d when b > 0 then e end
      case when p then 1 when q then 2 else 3 end
      case a when 1 then 10 when 2 then 20 else b end
      coalesce(a, b, 0)
      coalesce(d, e)
      ifnull(a, b)
      nullif(a, b)
      nvl(l, m)
      nvl2(a, b, 7)
      least(a, b, 2)
      greatest(a, b)
      least(d, e)
      greatest(d, e, 0.0)
      least(f, g)
      greatest(l, m)
      least(p, q)
      id
      id * 2
      id = a
      t = u
      greatest(t, u)
      date > date '2020-01-01'
      time >= timestamp '2000-01-01 00:00:00'
      """
          .lines()
          .toList();

  private static final List<String> FUNCTIONS =
      """
      sqrt(d)
      cbrt(d)
      exp(e)
      expm1(e)
      rint(d)
      sign(d)
      sin(d)
      cos(d)
      tan(e)
      asin(e)
      acos(e)
      atan(d)
      sinh(e)
      cosh(e)
      tanh(d)
      ln(d)
      log(d)
      log10(d)
      log1p(d)
      log2(d)
      log(2.0, d)
      degrees(d)
      radians(d)
      pow(d, e)
      hypot(d, e)
      atan2(d, e)
      floor(d)
      ceil(e)
      floor(a)
      cast(a as bigint)
      cast(l as int)
      cast(l as smallint)
      cast(a as tinyint)
      cast(d as int)
      cast(d as bigint)
      cast(d as smallint)
      cast(e as tinyint)
      cast(d as float)
      cast(f as double)
      cast(l as double)
      cast(a as float)
      cast(p as int)
      cast(p as double)
      cast(a as boolean)
      cast(d as boolean)
      cast(s as bigint)
      cast(y as smallint)
      try_cast(l as int)
      try_cast(d as tinyint)
      cast(null as double)
      named_struct('x', a, 'y', d).y
      r.n
      r.v + 1
      r is null
      coalesce(r.v, -1.0)
      if(p, r, null).v
      s
      y
      """
          .lines()
          .toList();

  private static SparkSession spark() {
    SharedSpark.context();
    return SparkSession.builder().getOrCreate();
  }

  @AfterEach
  void resetAnsi() {
    spark().conf().unset("spark.sql.ansi.enabled");
  }

  /** Rows of what is special and what is not, each cell null in one row of six. */
  private static Dataset<Row> vertices(boolean small) {
    Random random = new Random(SEED);
    double[] reals = {
      0.0,
      -0.0,
      1.5,
      -2.5,
      1e-300,
      3.7e9,
      -1e19,
      127.9,
      128.0,
      -128.9,
      0.3,
      1e300,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      Double.MIN_VALUE
    };
    int[] ints = {0, 1, -1, 2, 3, 7, -5, 31, 33, 100, Integer.MAX_VALUE, Integer.MIN_VALUE};
    long[] longs = {0, 1, -1, 3, 12, -77, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE, 200, 40_000};
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      List<Object> cells = new ArrayList<>();
      cells.add((long) i);
      for (int c = 0; c < 2; c++) {
        cells.add(small ? random.nextInt(9) + 1 : ints[random.nextInt(ints.length)]);
      }
      for (int c = 0; c < 2; c++) {
        cells.add(small ? random.nextInt(90) + 1L : longs[random.nextInt(longs.length)]);
      }
      for (int c = 0; c < 2; c++) {
        cells.add(
            small
                ? random.nextDouble() + 0.1
                : random.nextInt(3) == 0
                    ? random.nextGaussian()
                    : reals[random.nextInt(reals.length)]);
      }
      for (int c = 0; c < 2; c++) {
        cells.add(small ? random.nextFloat() : (float) reals[random.nextInt(reals.length)]);
      }
      cells.add(random.nextBoolean());
      cells.add(random.nextBoolean());
      cells.add(small ? (short) 5 : (short) random.nextInt());
      cells.add(small ? (byte) 3 : (byte) random.nextInt());
      cells.add(java.sql.Date.valueOf("20" + (10 + random.nextInt(20)) + "-03-04"));
      cells.add(new java.sql.Timestamp(random.nextInt(2_000_000_000) * 1000L));
      cells.add(RowFactory.create(random.nextInt(5), random.nextDouble()));
      for (int c = 1; c < cells.size(); c++) {
        if (random.nextInt(6) == 0) {
          cells.set(c, null);
        }
      }
      rows.add(RowFactory.create(cells.toArray()));
    }
    StructType schema = new StructType().add("id", DataTypes.LongType, false);
    for (String name : List.of("a", "b")) {
      schema = schema.add(name, DataTypes.IntegerType);
    }
    for (String name : List.of("l", "m")) {
      schema = schema.add(name, DataTypes.LongType);
    }
    for (String name : List.of("d", "e")) {
      schema = schema.add(name, DataTypes.DoubleType);
    }
    for (String name : List.of("f", "g")) {
      schema = schema.add(name, DataTypes.FloatType);
    }
    schema =
        schema
            .add("p", DataTypes.BooleanType)
            .add("q", DataTypes.BooleanType)
            .add("s", DataTypes.ShortType)
            .add("y", DataTypes.ByteType)
            .add("date", DataTypes.DateType)
            .add("time", DataTypes.TimestampType)
            .add(
                "r",
                new StructType().add("n", DataTypes.IntegerType).add("v", DataTypes.DoubleType));
    return spark()
        .createDataFrame(rows, schema)
        .withColumn("t", functions.col("time"))
        .withColumn("u", functions.expr("timestamp_seconds(l % 100000)"));
  }

  private static Pregel program(Dataset<Row> vertices, RunOptions options) {
    Dataset<Row> edges = spark().sql("select 0L as src, 1L as dst");
    return PropertyGraph.of(vertices, edges)
        .options(options)
        .pregel()
        .sendMessageToDst(functions.lit(1))
        .aggregateMessages(functions.sum(Pregel.msg()))
        .setMaxIterations(1);
  }

  private static void same(Dataset<Row> vertices, List<String> expressions, RunOptions options) {
    Pregel program = program(vertices, options);
    List<Column> expected = new ArrayList<>(List.of(functions.col("id")));
    for (int i = 0; i < expressions.size(); i++) {
      Column expression = functions.expr(expressions.get(i));
      String type = vertices.select(expression).schema().fields()[0].dataType().catalogString();
      program.withVertexColumn("x" + i, functions.lit(null).cast(type), expression);
      expected.add(expression);
    }
    List<Row> wanted =
        vertices.select(expected.toArray(Column[]::new)).orderBy("id").collectAsList();
    List<Row> got =
        program
            .run()
            .select(
                "id",
                Stream.iterate(0, i -> i + 1)
                    .limit(expressions.size())
                    .map(i -> "x" + i)
                    .toArray(String[]::new))
            .orderBy("id")
            .collectAsList();
    List<Row> table = vertices.orderBy("id").collectAsList();
    assertThat(got).hasSameSizeAs(wanted);
    for (int row = 0; row < got.size(); row++) {
      for (int i = 0; i < expressions.size(); i++) {
        assertThat(close(got.get(row).get(i + 1), wanted.get(row).get(i + 1)))
            .as(
                "%s of %s: %s, but Spark has %s",
                expressions.get(i),
                table.get(row),
                got.get(row).get(i + 1),
                wanted.get(row).get(i + 1))
            .isTrue();
      }
    }
  }

  /** Equal, or real numbers that are two ulps apart; the sign of a zero is open. */
  private static boolean close(Object got, Object wanted) {
    if (got instanceof Double a && wanted instanceof Double b) {
      return a.equals(b) || a == b.doubleValue() || Math.abs(a - b) <= 2 * Math.ulp(b);
    }
    return got == null
        ? wanted == null
        : got.equals(wanted)
            || got instanceof Float a && wanted instanceof Float b && a == b.floatValue();
  }

  static Stream<List<String>> expressions() {
    return Stream.of(ARITHMETIC, LOGIC, FUNCTIONS);
  }

  @ParameterizedTest
  @MethodSource("expressions")
  void expressionsAreThoseOfSpark(List<String> expressions) {
    spark().conf().set("spark.sql.ansi.enabled", "false");
    same(vertices(false), expressions, LIFTED);
  }

  @ParameterizedTest
  @MethodSource("expressions")
  void soTheyAreUnderAnsiWhereNothingFails(List<String> expressions) {
    spark().conf().set("spark.sql.ansi.enabled", "true");
    same(vertices(true), expressions, LIFTED);
  }

  @ParameterizedTest
  @MethodSource("expressions")
  @Tag("any-spark")
  void soTheyAreOnAnEmulatedDevice(List<String> expressions) {
    spark().conf().set("spark.sql.ansi.enabled", "false");
    same(vertices(false), expressions, LIFTED.withEngine(EngineChoice.EMULATED));
  }

  @Tag("gpu")
  @ParameterizedTest
  @MethodSource("expressions")
  void soTheyAreOnAGpu(List<String> expressions) {
    spark().conf().set("spark.sql.ansi.enabled", "false");
    same(vertices(false), expressions, LIFTED.withEngine(EngineChoice.CUDA));
    spark().conf().set("spark.sql.ansi.enabled", "true");
    same(vertices(true), expressions, LIFTED.withEngine(EngineChoice.CUDA));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void underAnsiWhatDoesNotFitIsAnError(String expression, String message) {
    spark().conf().set("spark.sql.ansi.enabled", "true");
    Dataset<Row> vertices =
        spark()
            .sql(
                "select 0L as id, 2147483647 as a, 9223372036854775807L as l, 0 as z, 1e30D as d,"
                    + " -128Y as y");
    Column next = functions.expr(expression);
    String type = vertices.select(next).schema().fields()[0].dataType().catalogString();
    Pregel program =
        PropertyGraph.of(vertices, spark().sql("select 0L as src, 0L as dst"))
            .options(LIFTED)
            .pregel()
            .sendMessageToDst(functions.lit(1))
            .aggregateMessages(functions.sum(Pregel.msg()))
            .setMaxIterations(1)
            .withVertexColumn("x", functions.lit(null).cast(type), next);
    assertThatThrownBy(program::run).hasMessageContaining(message).hasMessageContaining("vertex 0");
  }

  static Stream<org.junit.jupiter.params.provider.Arguments> failures() {
    return Stream.of(
        fails("a + 1", "overflow"),
        fails("l - (-1)", "overflow"),
        fails("l * 2", "overflow"),
        fails("a * a", "overflow"),
        fails("-y", "overflow"),
        fails("abs(y)", "overflow"),
        fails("a / z", "zero"),
        fails("a div z", "zero"),
        fails("l % z", "zero"),
        fails("cast(d as int)", "overflow"),
        fails("cast(l as int)", "overflow"),
        fails("cast(a as tinyint)", "overflow"));
  }

  private static org.junit.jupiter.params.provider.Arguments fails(String sql, String message) {
    return org.junit.jupiter.params.provider.Arguments.of(sql, message);
  }

  @Test
  void whatIsNotLoweredSaysWhy() {
    Dataset<Row> vertices = spark().sql("select 0L as id, 'x' as name, array(1, 2) as list");
    Pregel program =
        program(vertices, LIFTED)
            .withVertexColumn("n", functions.lit(0), functions.expr("length(name)"))
            .withVertexColumn("m", functions.lit(0), functions.expr("list[1]"));
    assertThatThrownBy(program::run)
        .isInstanceOf(NotLiftableException.class)
        .hasMessageContaining("name")
        .hasMessageContaining("string")
        .hasMessageContaining("array<int>");
  }
}
