package org.sparkgpugraph.engine.device.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sparkgpugraph.engine.device.CountedRun.everyVertex;
import static org.sparkgpugraph.engine.device.CountedRun.same;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.CountedRun;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.HotVertices;
import org.sparkgpugraph.engine.device.settings.OutlineSettings;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramTraits;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.UnaryOp;
import org.sparkgpugraph.program.jvm.IrBuilder;

/** Gathers that read hot vertices first do what others do, to the bit, on any device. */
abstract class HotVerticesSuite {
  /** Opens a device, or skips the test with the reason. */
  abstract Device openDevice(int seed);

  /** Two columns of 8 bytes, whose sums show every change of order. */
  static final ProgramInstance RANKS = IrPrograms.pageRank(false, 0.85);

  /** Blocks small enough for any device, a few values near. */
  static final HotVertices FEW =
      HotVertices.DEFAULT.with(HotVertices.Choice.ON).withThreads(64).withNear(256);

  static DeviceSettings settings(HotVertices hot) {
    DeviceSettings settings =
        DeviceSettings.DEFAULT
            .withReserve(0)
            .withHubs(100, 300)
            .withOutline(OutlineSettings.DEFAULT.with(OutlineSettings.Choice.OFF));
    return settings.withTuning(settings.tuning().withHot(hot));
  }

  static CountedRun run(
      Device device,
      DeviceSettings how,
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      RunSettings settings) {
    return CountedRun.of(device, how, program, graph, attributes, settings, (kernel, blocks) -> {});
  }

  /** Runs both ways; hot vertices are read first in every superstep but the first. */
  static void check(
      String what,
      Device device,
      HotVertices hot,
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      Object... empty) {
    int iterations = 3;
    RunSettings run = everyVertex(iterations, empty);
    CountedRun wanted =
        run(device, settings(hot.with(HotVertices.Choice.OFF)), program, graph, attributes, run);
    CountedRun found = run(device, settings(hot), program, graph, attributes, run);
    assertThat(wanted.launches()).as(what).doesNotContain("hot_gather");
    boolean in = program.program().traits().sendsToDestination();
    List<SimpleGraph.Partition> parts =
        graph.partitions().stream().filter(p -> p.edges(in).edges() > 0).toList();
    assertThat(found.launches().stream().filter("hot_gather"::equals))
        .as(what)
        .hasSize(parts.size() * iterations);
    // A gather leaves what the next one reads, but for what ghosts are told.
    assertThat(found.launches().stream().filter("hot_values"::equals))
        .as(what)
        .hasSize(parts.size());
    assertThat(found.launches().stream().filter("hot_ghosts"::equals))
        .as(what)
        .hasSize(parts.stream().mapToInt(p -> p.ghosts() == 0 ? 0 : iterations - 1).sum());
    same(wanted, found, what);
  }

  /** Ranks and weights for {@link #RANKS}. */
  static Columns ranks(SimpleGraph graph, Random random) {
    return numbers(List.of(Kind.DOUBLE, Kind.DOUBLE), graph.ids.length, random);
  }

  static Columns numbers(List<Kind> kinds, int n, Random random) {
    Columns attributes = Columns.allocate(kinds, n);
    for (int c = 0; c < kinds.size(); c++) {
      switch (kinds.get(c)) {
        case INT -> Arrays.setAll(attributes.ints(c), v -> random.nextInt());
        case LONG -> Arrays.setAll(attributes.longs(c), v -> random.nextLong());
        case FLOAT -> {
          for (int v = 0; v < n; v++) {
            attributes.floats(c)[v] = random.nextFloat();
          }
        }
        default -> Arrays.setAll(attributes.doubles(c), v -> random.nextDouble());
      }
    }
    return attributes;
  }

  /** Rows of 0, 1, 31, 32, 33 and 1000 edges; few vertices with most edges; one vertex; parts. */
  static SimpleGraph graph(Random random, int which) {
    return switch (which) {
      case 0 -> turned(RandomSimpleGraphs.degrees(random, 1000, 0));
      case 1 -> RandomSimpleGraphs.of(random, 150, 20, true, true, 1);
      case 2 -> RandomSimpleGraphs.of(random, 1, 3, false, false, 1);
      case 3 -> RandomSimpleGraphs.degrees(random, 1000, 0);
      default -> RandomSimpleGraphs.of(random, 500, 4, true, false, 3);
    };
  }

  /** With edges the other way. */
  private static SimpleGraph turned(SimpleGraph graph) {
    return new SimpleGraph(graph.ids, null, graph.destinations, graph.sources, graph.edgeValues);
  }

  @Test
  void ranksHaveTheSameBits() {
    try (Device device = openDevice(1)) {
      for (int seed = 0; seed < 5; seed++) {
        Random random = new Random(seed);
        SimpleGraph graph = graph(random, seed);
        check("seed " + seed, device, FEW, RANKS, graph, ranks(graph, random), 0.0);
      }
    }
  }

  /** More and fewer blocks, values near and edges under way than there are. */
  @Test
  void blocksOfAllKindsFindTheSame() {
    ProgramInstance program = sums(Kind.FLOAT, Side.DESTINATION);
    try (Device device = openDevice(2)) {
      int seed = 10;
      for (HotVertices hot :
          List.of(
              FEW.withNear(0),
              FEW.withNear(1 << 20).withThreads(256),
              FEW.withNear(100).withThreads(32),
              FEW.withThreads(1024))) {
        Random random = new Random(seed);
        SimpleGraph graph = graph(random, seed % 2);
        Columns attributes = numbers(List.of(Kind.FLOAT), graph.ids.length, random);
        check("seed " + seed++ + ", " + hot, device, hot, program, graph, attributes, 0f);
      }
    }
  }

  /** Columns of 4 and 8 bytes in one room, and values of edges beside them; both sides of edges. */
  @Test
  void columnsOfBothSizesStandBesideEachOther() {
    try (Device device = openDevice(3)) {
      int seed = 20;
      for (Side receiver : Side.values()) {
        Random random = new Random(seed);
        SimpleGraph graph = RandomSimpleGraphs.of(random, 200, 6, true, false, 1 + seed % 2);
        Columns attributes =
            numbers(List.of(Kind.INT, Kind.DOUBLE, Kind.FLOAT), graph.ids.length, random);
        check("seed " + seed++, device, FEW, mixed(receiver), graph, attributes, 0.0);
      }
    }
  }

  /**
   * A merge that shows the order of messages, and how they were grouped: all lanes of a row walk.
   */
  @Test
  void messagesAreMergedInTheSameOrder() {
    IrBuilder merge = new IrBuilder("merge");
    int left = merge.parameter(Role.LEFT, 0, Kind.LONG);
    int scaled = merge.binary(BinaryOp.MULTIPLY, left, merge.constant(Kind.LONG, 31L));
    merge.returns(merge.binary(BinaryOp.ADD, scaled, merge.parameter(Role.RIGHT, 0, Kind.LONG)));
    LiftedProgram shows =
        sums(Kind.LONG, Side.DESTINATION)
            .program()
            .with()
            .merge(merge.build(Kind.LONG))
            .traits(new ProgramTraits(List.of(MergeAlgebra.GENERAL), false, true, false, List.of()))
            .build();
    try (Device device = openDevice(4)) {
      for (int seed = 30; seed < 33; seed++) {
        Random random = new Random(seed);
        SimpleGraph graph = graph(random, seed % 3);
        Columns attributes = numbers(List.of(Kind.LONG), graph.ids.length, random);
        ProgramInstance program = new ProgramInstance(shows, List.of());
        check("seed " + seed, device, FEW, program, graph, attributes, 0L);
      }
    }
  }

  /** The largest and least change of all vertices, hubs among them, which sums would not be. */
  @Test
  void aggregatesAreThoseOfAllVertices() {
    List<Aggregate> aggregates = new ArrayList<>();
    for (AggregateOperation operation :
        List.of(AggregateOperation.MAX, AggregateOperation.MIN, AggregateOperation.SUM)) {
      IrBuilder change = new IrBuilder("change");
      change.returns(
          change.binary(
              BinaryOp.SUBTRACT,
              change.parameter(Role.AFTER, 0, Kind.DOUBLE),
              change.parameter(Role.BEFORE, 0, Kind.DOUBLE)));
      aggregates.add(new Aggregate(operation.name(), operation, change.build(Kind.DOUBLE)));
    }
    ProgramInstance sums = sums(Kind.DOUBLE, Side.DESTINATION);
    Random random = new Random(40);
    SimpleGraph graph = graph(random, 0);
    Columns attributes = numbers(List.of(Kind.DOUBLE), graph.ids.length, random);
    try (Device device = openDevice(5)) {
      LiftedProgram both = sums.program().with().aggregates(aggregates.subList(0, 2)).build();
      ProgramInstance program = new ProgramInstance(both, List.of());
      check("seed 40", device, FEW, program, graph, attributes, 0.0);
      LiftedProgram all = sums.program().with().aggregates(aggregates).build();
      CountedRun plain =
          run(
              device,
              settings(FEW),
              new ProgramInstance(all, List.of()),
              graph,
              attributes,
              everyVertex(2, 0.0));
      assertThat(plain.launches()).doesNotContain("hot_gather");
    }
  }

  /** The sum of the other ends' numbers. */
  private static ProgramInstance sums(Kind kind, Side receiver) {
    Role other = receiver == Side.DESTINATION ? Role.SOURCE : Role.DESTINATION;
    IrBuilder send = new IrBuilder("send");
    send.emit(receiver, send.parameter(other, 0, kind)).returns();
    IrBuilder program = new IrBuilder("vertexProgram");
    program.returns(program.parameter(Role.MESSAGE, 0, kind));
    ValueType type = new ValueType.Scalar(kind);
    return program(type, type, send, program.build(kind), kind, receiver);
  }

  /**
   * {@code (double) (int + edge) * double + float}, summed up; the int and the float change, too.
   */
  private static ProgramInstance mixed(Side receiver) {
    Role other = receiver == Side.DESTINATION ? Role.SOURCE : Role.DESTINATION;
    IrBuilder send = new IrBuilder("send");
    int whole = send.unary(UnaryOp.CONVERT, Kind.LONG, send.parameter(other, 0, Kind.INT));
    int edge = send.parameter(Role.EDGE, 0, Kind.LONG);
    int factor = send.parameter(other, 1, Kind.DOUBLE);
    int more = send.unary(UnaryOp.CONVERT, Kind.DOUBLE, send.parameter(other, 2, Kind.FLOAT));
    int sum = send.unary(UnaryOp.CONVERT, Kind.DOUBLE, send.binary(BinaryOp.ADD, whole, edge));
    send.emit(
            receiver, send.binary(BinaryOp.ADD, send.binary(BinaryOp.MULTIPLY, sum, factor), more))
        .returns();
    IrBuilder program = new IrBuilder("vertexProgram");
    int message = program.parameter(Role.MESSAGE, 0, Kind.DOUBLE);
    int third = program.constant(Kind.DOUBLE, 1.0 / 3);
    int less = program.binary(BinaryOp.MULTIPLY, message, third);
    program.returns(
        program.unary(UnaryOp.CONVERT, Kind.INT, message),
        less,
        program.unary(UnaryOp.CONVERT, Kind.FLOAT, message));
    return program(
        IrPrograms.record(Kind.INT, Kind.DOUBLE, Kind.FLOAT),
        IrPrograms.LONG,
        send,
        program.build(Kind.INT, Kind.DOUBLE, Kind.FLOAT),
        Kind.DOUBLE,
        receiver);
  }

  private static ProgramInstance program(
      ValueType state,
      ValueType edge,
      IrBuilder send,
      IrFunction vertexProgram,
      Kind message,
      Side receiver) {
    boolean in = receiver == Side.DESTINATION;
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(state)
            .edge(edge)
            .state(state)
            .message(new ValueType.Scalar(message))
            .result(state)
            .vertexProgram(vertexProgram)
            .send(send.build())
            .merge(IrPrograms.binaryMerge(BinaryOp.ADD, message))
            .traits(new ProgramTraits(List.of(MergeAlgebra.SUM), !in, in, false, List.of()))
            .build(),
        List.of());
  }
}
