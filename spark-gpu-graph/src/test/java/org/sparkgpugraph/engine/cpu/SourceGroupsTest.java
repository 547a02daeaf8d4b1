package org.sparkgpugraph.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.hoist.Hoisting;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.program.lift.SourceBuilder;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;

/** Sources grouped by degree, and that sums of what edges read of them have the same bits. */
@Tag("any-spark")
class SourceGroupsTest {
  private static final int MANY = 1000;

  /** A value of which edges read both numbers. */
  public record Page(double rank, double weight) {}

  /** The same in floats. */
  public record Leaf(float rank, float weight) {}

  /** One of each. */
  public record Both(double rank, float weight) {}

  private final SourceGroups.Cache always = new SourceGroups.Cache(-1, -1);

  private static ProgramInstance pages() {
    ProgramInstance program =
        summing(
            Page.class,
            Double.class,
            (id, page, sum) -> new Page(0.15 + 0.85 * sum, page.weight()),
            edge -> edge.sendToDst(edge.srcAttr().rank() * edge.srcAttr().weight()),
            Double::sum);
    return Hoisting.apply(program, false);
  }

  private static ProgramInstance leaves() {
    return summing(
        Leaf.class,
        Float.class,
        (id, leaf, sum) -> new Leaf(0.15f + 0.85f * sum, leaf.weight()),
        edge -> edge.sendToDst(edge.srcAttr().rank() * edge.srcAttr().weight()),
        Float::sum);
  }

  private static ProgramInstance both() {
    return summing(
        Both.class,
        Double.class,
        (id, value, sum) -> new Both(0.15 + 0.85 * sum, value.weight()),
        edge -> edge.sendToDst(edge.srcAttr().rank() * edge.srcAttr().weight()),
        Double::sum);
  }

  private static <V, M> ProgramInstance summing(
      Class<V> value,
      Class<M> message,
      VertexProgram<V, M> vertexProgram,
      SendMessage<V, Long, M> send,
      MergeMessage<M> sum) {
    return ProgramLifter.lift(
        new SourceBuilder()
            .attribute(ValueType.of(value))
            .edge(ValueType.of(Long.class))
            .message(ValueType.of(message))
            .vertexProgram(vertexProgram)
            .send(send)
            .merge(sum)
            .build());
  }

  private static RunSettings settings(int supersteps, int threads) {
    return settings(supersteps, threads, 0.0);
  }

  private static RunSettings settings(int supersteps, int threads, Object empty) {
    return new RunSettings(
        null,
        new Object[] {empty},
        ActiveDirection.OUT,
        Gather.ACTIVE,
        supersteps,
        false,
        KernelChoice.AUTO,
        threads,
        null);
  }

  /** Vertex v has so many out-edges, to vertices that are drawn. */
  private static SimpleGraph graph(int[] degrees, Random random) {
    int n = degrees.length;
    int[] sources =
        IntStream.range(0, n).flatMap(v -> IntStream.generate(() -> v).limit(degrees[v])).toArray();
    int[] destinations = random.ints(sources.length, 0, n).toArray();
    long[] ids = random.longs().distinct().limit(n).sorted().toArray();
    Columns values = Columns.allocate(List.of(Kind.LONG), sources.length);
    return new SimpleGraph(ids, null, sources, destinations, values);
  }

  /** Few vertices, here and there, have most edges. */
  private static SimpleGraph skewed(int n, Random random) {
    int[] degrees = new int[n];
    Arrays.setAll(degrees, v -> random.nextInt(64) == 0 ? 100 + random.nextInt(900) : v % 3);
    return graph(degrees, random);
  }

  private static SourceGroups groups(SourceGroups.Cache cache, SimpleGraph graph, int supersteps) {
    ProgramInstance program = pages();
    RunSettings settings = settings(supersteps, 2);
    KernelShape shape = KernelShape.of(program.program(), settings, false, false);
    return cache.of(graph, program.program(), shape, settings);
  }

  /** The first column, as doubles. */
  private static double[] ranks(
      CpuEngine engine,
      ProgramInstance program,
      SimpleGraph graph,
      Object empty,
      int threads,
      boolean inGroups) {
    List<ColumnType> types = program.program().attribute().columns();
    int n = graph.ids.length;
    Columns attributes = Columns.allocate(types, n);
    Random random = new Random(7);
    for (int c = 0; c < types.size(); c++) {
      for (int v = 0; v < n; v++) {
        boolean narrow = types.get(c) == Kind.FLOAT;
        attributes.set(c, v, narrow ? (Object) random.nextFloat() : random.nextDouble());
      }
    }
    RunSettings settings = settings(40, threads, empty);
    try (EngineRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      assertThat(run.notes().contains(SourceGroups.NOTE)).isEqualTo(inGroups);
      run.initialise();
      for (int step = 0; step < 4; step++) {
        run.step(new double[0]);
      }
      Columns values = run.values(0);
      return IntStream.range(0, n)
          .mapToDouble(v -> ((Number) values.get(0, v)).doubleValue())
          .toArray();
    }
  }

  @Test
  void groupsAscendByDegreeAndKeepTheOrderInside() {
    int[] degrees = {0, 1, 33, 2, 1000, 31, 3, 0, 32, 1};
    SimpleGraph graph = graph(degrees, new Random(1));
    SourceGroups groups = groups(always, graph, 40);
    int[] order = new int[degrees.length];
    for (int v = 0; v < order.length; v++) {
      order[groups.places()[v]] = v;
    }
    assertThat(order).containsExactly(4, 2, 8, 5, 3, 6, 1, 9, 0, 7);
    int[] sources = graph.partitions().get(0).inEdges().neighbours();
    assertThat(groups.sources())
        .isEqualTo(Arrays.stream(sources).map(v -> groups.places()[v]).toArray());
  }

  @Test
  void theyAreMadeOnceWhenRunsHaveHadManySupersteps() {
    SimpleGraph graph = skewed(MANY, new Random(2));
    assertThat(groups(always, graph, 16)).isNull();
    assertThat(groups(always, graph, 15)).as("31 so far").isNull();
    SourceGroups groups = groups(always, graph, 1);
    assertThat(groups).isNotNull().isSameAs(groups(always, graph, 20));
    assertThat(groups(always, graph, 1)).as("there already").isSameAs(groups);
    assertThat(groups(always, skewed(MANY, new Random(2)), 31)).as("another graph").isNull();
    assertThat(groups(always, skewed(MANY, new Random(2)), 32)).isNotNull();
  }

  @Test
  void theyAreNotMadeWhereTheyGainNothing() {
    SourceGroups.Cache cache = new SourceGroups.Cache(MANY / 2, 0.15);
    Random random = new Random(3);
    assertThat(groups(cache, skewed(MANY, random), 40)).isNotNull();
    assertThat(groups(cache, skewed(MANY / 2, random), 40)).as("few vertices").isNull();
    int[] even = new int[MANY];
    Arrays.fill(even, 4);
    assertThat(groups(cache, graph(even, random), 40)).as("all alike").isNull();
    int[] ordered = IntStream.range(0, MANY).map(v -> v < MANY / 50 ? 500 : 1).toArray();
    assertThat(groups(cache, graph(ordered, random), 40)).as("in order already").isNull();
    assertThat(groups(new SourceGroups.Cache(), skewed(MANY, random), 40)).isNull();
  }

  @Test
  void sumsHaveTheSameBits() {
    for (int seed = 0; seed < 6; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = skewed(seed < 2 ? MANY + seed : 1 + random.nextInt(90), random);
      boolean any = graph.edgeCount() > 0;
      sameBits("seed " + seed, pages(), graph, 0.0, any);
      sameBits("seed " + seed + ", floats", leaves(), graph, 0f, any);
      // Copies are of one kind.
      sameBits("seed " + seed + ", both", both(), graph, 0.0, false);
    }
  }

  private void sameBits(
      String what, ProgramInstance program, SimpleGraph graph, Object empty, boolean inGroups) {
    double[] plain = ranks(new CpuEngine(), program, graph, empty, 1, false);
    assertThat(plain).as(what).doesNotContain(Double.NaN);
    for (int threads = 1; threads <= 3; threads += 2) {
      CpuEngine grouped = new CpuEngine(-1, always);
      assertThat(ranks(grouped, program, graph, empty, threads, inGroups))
          .as(what)
          .isEqualTo(plain);
    }
  }

  /** Those of a run are its own, and told before; no copies are counted twice. */
  @Test
  void theyCountWithTheGraph() {
    SimpleGraph graph = skewed(MANY, new Random(5));
    CpuEngine grouped = new CpuEngine(-1, always);
    // A copy of the columns that edges read is made either way by this engine.
    assertThat(grouped.estimate(graph, pages(), settings(32, 1)))
        .isEqualTo(grouped.estimate(graph, pages(), settings(31, 1)));
    assertThat(grouped.estimate(graph, leaves(), settings(32, 1, 0f)))
        .isEqualTo(grouped.estimate(graph, leaves(), settings(31, 1, 0f)));
    for (int run = 0; run < 2; run++) {
      ranks(grouped, pages(), graph, 0.0, 1, true);
      assertThat(graph.bytes()).isEqualTo(4L * MANY + 4 * graph.edgeCount());
    }
  }

  @Test
  void whereTheyHaveNoRoomRunsGoWithout() {
    SimpleGraph graph = skewed(MANY, new Random(6));
    graph.room = 4L * MANY + 4 * graph.edgeCount() - 1;
    double[] plain = ranks(new CpuEngine(), pages(), graph, 0.0, 1, false);
    CpuEngine grouped = new CpuEngine(-1, always);
    assertThat(ranks(grouped, pages(), graph, 0.0, 1, false)).isEqualTo(plain);
    assertThat(graph.bytes()).isZero();
    graph.room++;
    assertThat(ranks(grouped, pages(), graph, 0.0, 1, true)).isEqualTo(plain);
  }
}
