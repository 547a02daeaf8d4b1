package org.sparkgpugraph.program.hoist;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.program.cuda.RandomIr;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.IrBuilder;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.IrOracle;
import org.sparkgpugraph.program.ir.IrPrinter;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.FunctionCompiler;
import org.sparkgpugraph.program.lift.RandomValues;

/** What is left of a function when a superstep's branches are decided does the same. */
@Tag("any-spark")
class UniformBranchesTest {

  /** In odd supersteps behind the given one it sends 2, in even ones what the source has. */
  private static IrFunction alternating() {
    IrBuilder f = new IrBuilder("send", UniformBranchesTest.class);
    int superstep = f.parameter(Role.SUPERSTEP, Kind.INT);
    int quiet = f.label();
    int even = f.label();
    f.branch(Condition.LE, superstep, f.parameter(Role.CAPTURE, 0, Kind.INT), quiet);
    int odd = f.binary(BinaryOp.AND, superstep, f.constant(1));
    f.branch(Condition.EQ, odd, f.constant(0), even);
    f.emit(Side.DESTINATION, List.of(f.constant(2.0)));
    f.leave(List.of());
    f.place(even);
    f.emit(Side.DESTINATION, List.of(f.parameter(Role.SOURCE, 0, Kind.DOUBLE)));
    f.place(quiet);
    f.leave(List.of());
    return f.build(List.of());
  }

  @Test
  void aSuperstepReadsAndSendsWhatItNeeds() {
    IrFunction send = alternating();
    UniformBranches branches = new UniformBranches(send);
    Object[] captures = {3};
    assertThat(branches.decide(3, captures)).containsExactly(true, false);
    assertThat(branches.decide(7, captures)).isEqualTo(branches.decide(5, captures));
    IrFunction quiet = branches.decided(branches.decide(2, captures));
    IrFunction odd = branches.decided(branches.decide(5, captures));
    IrFunction even = branches.decided(branches.decide(6, captures));
    assertThat(quiet.code()).hasSize(1);
    assertThat(odd.parameters()).isEmpty();
    assertThat(odd.code()).hasSize(3);
    assertThat(even.parameters()).extracting(Param::role).containsExactly(Role.SOURCE);
    assertThat(run(odd, List.of(), List.of())).contains("2.0");
    assertThat(run(even, List.of(), List.of(0.5))).contains("0.5");
  }

  @Test
  void branchesOnWhatVerticesHaveStay() {
    IrBuilder f = new IrBuilder("send", UniformBranchesTest.class);
    int end = f.label();
    int zero = f.constant(0.0);
    f.branch(Condition.EQ, f.parameter(Role.SOURCE, 0, Kind.DOUBLE), zero, end);
    f.emit(Side.SOURCE, List.of(zero));
    f.place(end);
    f.leave(List.of());
    assertThat(new UniformBranches(f.build(List.of())).isEmpty()).isTrue();
  }

  @Test
  void randomCodeDoesTheSame() {
    Random random = new Random(5);
    int decided = 0;
    for (int f = 0; f < 400; f++) {
      IrFunction send = withCaptures(RandomIr.sending(random, "send" + f));
      UniformBranches branches = new UniformBranches(send);
      for (int i = 0; i < 8 && !branches.isEmpty(); i++) {
        List<Object> captures = RandomValues.random(RandomIr.COLUMNS, random);
        List<Boolean> decisions = branches.decide(0, captures.toArray());
        decided += (int) decisions.stream().filter(Objects::nonNull).count();
        IrFunction rest = branches.decided(decisions);
        assertThat(rest.code()).hasSizeLessThanOrEqualTo(send.code().size());
        // Malformed code would not compile.
        FunctionCompiler.compile(rest);
        List<Object> values = RandomValues.random(RandomIr.COLUMNS, random);
        assertThat(run(rest, captures, values))
            .as(IrPrinter.print(send) + IrPrinter.print(rest) + captures)
            .isEqualTo(run(send, captures, values));
      }
    }
    assertThat(decided).isGreaterThan(300);
  }

  /** What it reads of the destination is captured. */
  private static IrFunction withCaptures(IrFunction send) {
    List<Param> parameters =
        send.parameters().stream()
            .map(
                p ->
                    p.role() == Role.DESTINATION
                        ? new Param(Role.CAPTURE, p.index(), p.variable())
                        : p)
            .toList();
    return new IrFunction(
        send.name(), parameters, send.results(), send.variables(), send.labels(), send.code());
  }

  private static String run(IrFunction send, List<Object> captures, List<Object> values) {
    IrOracle.Outcome outcome =
        IrOracle.run(
            send,
            (role, index) -> (role == Role.CAPTURE ? captures : values).get(index),
            RandomIr.TABLES);
    return outcome.toString();
  }
}
