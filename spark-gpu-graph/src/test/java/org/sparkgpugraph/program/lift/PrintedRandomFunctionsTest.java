package org.sparkgpugraph.program.lift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.cuda.FaultSites;
import org.sparkgpugraph.program.cuda.TranslationUnit;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrOracle;
import org.sparkgpugraph.program.ir.IrPrinter;
import org.sparkgpugraph.program.jvm.CompiledFunction;
import org.sparkgpugraph.program.jvm.FunctionCompiler;

/** Random Java functions: original lambda == hidden class == printed C, to the bit, with faults. */
@Tag("any-spark")
class PrintedRandomFunctionsTest {
  private static final int FUNCTIONS = 100;
  private static final int CASES = 40;
  private static final long ID = 42;

  private record Call(
      String name,
      FunctionTrial.Lifted lifted,
      List<Object> left,
      List<Object> right,
      FunctionTrial.Outcome is) {}

  @ParameterizedTest
  @ValueSource(longs = {101, 102})
  @SuppressWarnings("unchecked")
  void printedIsOriginal(long seed, @TempDir Path directory) throws Exception {
    assumeTrue(TranslationUnit.has("g++"), "no g++ on the PATH: printed code is not run");
    Class<?> generated =
        RuntimeCompiler.compile(
            directory, "generated.Generated", RandomSource.unit(FUNCTIONS, seed));
    Class<?> value = Class.forName("generated.Generated$V", true, generated.getClassLoader());
    ValueType type = ValueType.of(value);
    List<ColumnType> columns = type.columns();
    List<VertexProgram<Object, Object>> functions =
        (List<VertexProgram<Object, Object>>) generated.getField("ALL").get(null);
    Random random = new Random(seed);
    TranslationUnit unit = new TranslationUnit();
    List<Call> calls = new ArrayList<>();
    for (int f = 0; f < functions.size(); f++) {
      VertexProgram<Object, Object> function = functions.get(f);
      FunctionTrial.Lifted lifted = FunctionTrial.lift(function, "apply", true, type, type, type);
      CompiledFunction compiled = FunctionCompiler.compile(lifted.function());
      int index = unit.add(lifted.function());
      for (int i = 0; i < CASES; i++) {
        List<Object> left = RandomValues.random(columns, random);
        List<Object> right = RandomValues.random(columns, random);
        FunctionTrial.Outcome original =
            FunctionTrial.outcome(
                () ->
                    FunctionTrial.columns(
                        function.apply(
                            ID,
                            FunctionTrial.build(value, new ArrayList<>(left)),
                            FunctionTrial.build(value, new ArrayList<>(right)))));
        IrOracle.Inputs inputs =
            (role, column) ->
                switch (role) {
                  case ID -> ID;
                  case LEFT -> left.get(column);
                  case RIGHT -> right.get(column);
                  case CAPTURE -> lifted.captures().get(column);
                  default -> throw new AssertionError(role);
                };
        Call call = new Call("f" + f, lifted, left, right, original);
        assertThat(FunctionTrial.compiled(compiled, inputs))
            .as(() -> "hidden class, " + describe(seed, call))
            .isEqualTo(original);
        calls.add(call);
        unit.call(
            index,
            lifted.function().parameters().stream()
                .map(p -> inputs.get(p.role(), p.index()))
                .toList());
      }
    }
    List<TranslationUnit.Outcome> outcomes = unit.run(directory, "-O1");
    int faults = 0;
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      FunctionTrial.Outcome printed = printed(outcomes.get(i), unit.sites());
      faults += printed.fault() == null ? 0 : 1;
      assertThat(printed).as(() -> "C, " + describe(seed, call)).isEqualTo(call.is());
    }
    assertThat(faults).isBetween(1, calls.size() / 2);
  }

  private static FunctionTrial.Outcome printed(TranslationUnit.Outcome outcome, FaultSites sites) {
    if (outcome.site() < 0) {
      return new FunctionTrial.Outcome(
          outcome.values().stream().map(FunctionTrial::canonical).toList(), null);
    }
    var fail = sites.list().get(outcome.site()).fail();
    return new FunctionTrial.Outcome(null, FunctionTrial.fault(fail.code(), fail.detail()));
  }

  private static String describe(long seed, Call call) {
    return "seed "
        + seed
        + ", "
        + call.name()
        + ": "
        + call.left()
        + " and "
        + call.right()
        + "\n"
        + IrPrinter.print(call.lifted().function());
  }
}
