package org.sparkgpugraph.program.lift;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.ResultFunction;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.StateFunction;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.IrOracle;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/** Whole programs, as users write them. */
class ProgramLifterTest {
  private static final ValueType DOUBLE = new ValueType.Scalar(Kind.DOUBLE);

  record Rank(double rank, double delta, int outDegree) {}

  @Test
  void shortestPathsOfTheDesignPage() {
    VertexProgram<Double, Double> vertexProgram =
        (id, distance, message) -> Math.min(distance, message);
    SendMessage<Double, Double, Double> send =
        edge -> {
          if (edge.srcAttr() + edge.attr() < edge.dstAttr()) {
            edge.sendToDst(edge.srcAttr() + edge.attr());
          }
        };
    MergeMessage<Double> merge = Math::min;
    ProgramInstance instance =
        ProgramLifter.lift(
            new SourceBuilder()
                .attribute(DOUBLE)
                .edge(DOUBLE)
                .vertexProgram(vertexProgram)
                .send(send)
                .merge(merge)
                .build());
    LiftedProgram program = instance.program();
    assertThat(program.message()).isEqualTo(DOUBLE);
    assertThat(program.state()).isEqualTo(DOUBLE);
    assertThat(sent(program.send(), 1.0, 2.0, 10.0))
        .containsExactly(new IrOracle.Sent(Side.DESTINATION, List.of(3.0)));
    assertThat(sent(program.send(), 1.0, 9.0, 10.0)).isEmpty();
    assertThat(sent(program.send(), 1.0, Double.NaN, 10.0)).isEmpty();
  }

  private static ProgramInstance lookingUp(double[] array, long... keys) {
    scala.collection.mutable.HashMap<Long, Double> map = new scala.collection.mutable.HashMap<>();
    for (long key : keys) {
      map.put(key, key * 0.5);
    }
    SendMessage<Double, Double, Double> send =
        edge -> {
          long id = edge.srcId();
          double known = map.contains(id) ? map.apply(id) : array[(int) id];
          edge.sendToDst(known);
        };
    VertexProgram<Double, Double> vertexProgram = (id, value, message) -> message;
    MergeMessage<Double> merge = Math::min;
    return ProgramLifter.lift(
        new SourceBuilder()
            .attribute(DOUBLE)
            .edge(DOUBLE)
            .vertexProgram(vertexProgram)
            .send(send)
            .merge(merge)
            .build());
  }

  @Test
  void programsThatDifferInTheContentsOfTablesAreEqual() {
    double[] array = new double[100];
    ProgramInstance one = lookingUp(array, LongStream.range(0, 100).toArray());
    double[] larger = new double[5000];
    ProgramInstance other =
        lookingUp(larger, LongStream.range(0, 7000).map(i -> i << 33).toArray());
    assertThat(other.program()).isEqualTo(one.program());
    assertThat(other.captures()).hasSameSizeAs(one.captures()).isNotEqualTo(one.captures());
    assertThat(one.tables()).hasSize(4).contains(array).doesNotContain(larger);
    // Keys and values of 256 slots, 64 factors, the array.
    assertThat(one.tableBytes()).isEqualTo(8 * (2 * 256 + 64 + 100));
    // The array is the program's own.
    array[3] = 17;
    assertThat(one.tables()).doesNotContain(array);
  }

  private static List<IrOracle.Sent> sent(
      IrFunction send, double source, double edge, double destination) {
    return IrOracle.run(
            send,
            (role, index) ->
                switch (role) {
                  case SOURCE -> source;
                  case EDGE -> edge;
                  case DESTINATION -> destination;
                  default -> throw new AssertionError(role);
                })
        .sent();
  }

  @Test
  void pageRankWithRecordState() {
    double reset = 0.15;
    double tolerance = 1e-3;
    StateFunction<Double, Rank> state =
        (id, attribute, inDegree, outDegree) -> new Rank(0, 0, outDegree);
    VertexProgram<Rank, Double> vertexProgram =
        (id, value, sum) -> {
          double rank = value.rank() + (1 - reset) * sum;
          return new Rank(rank, rank - value.rank(), value.outDegree());
        };
    SendMessage<Rank, Double, Double> send =
        edge -> {
          Rank source = edge.srcAttr();
          if (source.delta() > tolerance) {
            edge.sendToDst(source.delta() / source.outDegree());
          }
        };
    MergeMessage<Double> merge = Double::sum;
    ResultFunction<Double, Rank, Double> result = (id, attribute, value) -> value.rank();
    ProgramInstance instance =
        ProgramLifter.lift(
            new SourceBuilder()
                .attribute(DOUBLE)
                .edge(DOUBLE)
                .initialState(state)
                .vertexProgram(vertexProgram)
                .send(send)
                .merge(merge)
                .resultFunction(result)
                .build());
    LiftedProgram program = instance.program();
    assertThat(instance.captures()).containsExactly(0.15, 1e-3);
    assertThat(program.state().columns()).containsExactly(Kind.DOUBLE, Kind.DOUBLE, Kind.INT);
    assertThat(program.state().className()).isEqualTo(Rank.class.getName());
    assertThat(program.result()).isEqualTo(DOUBLE);
    assertThat(program.send().reads(Role.SOURCE, 0)).isFalse();
    assertThat(program.send().reads(Role.DESTINATION)).isFalse();
    assertThat(
            IrOracle.run(
                    program.vertexProgram(),
                    (role, index) ->
                        switch (role) {
                          case VALUE -> index == 0 ? (Object) 2.0 : (Object) 7;
                          case MESSAGE -> 4.0;
                          case CAPTURE -> instance.captures().get(index);
                          default -> throw new AssertionError(role);
                        })
                .values())
        .containsExactly(2.0 + 0.85 * 4, 2.0 + 0.85 * 4 - 2.0, 7);
  }
}
