package org.sparkgpugraph.program.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.program.ir.FaultSite;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.IrOracle;
import org.sparkgpugraph.program.ir.IrPrinter;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.CompiledFunction;
import org.sparkgpugraph.program.jvm.FunctionCompiler;
import org.sparkgpugraph.program.jvm.FunctionFault;

/** Random representation: printed C == interpreter, to the bit, faults and messages included. */
@Tag("any-spark")
class RandomIrTest {
  private static final int FUNCTIONS = 100;
  private static final int CASES = 60;

  private record Call(IrFunction function, Side side, Map<Role, List<Object>> inputs) {}

  private static Object value(Kind kind, Random random) {
    double[] reals = {0, -0.0, 1, -1, 2.5, 1e10, -1e20, 1e-310, Double.NaN, 1 / 0.0, -1 / 0.0};
    boolean special = random.nextBoolean();
    return switch (kind) {
      case BOOLEAN -> random.nextBoolean();
      case INT -> special ? (Object) (random.nextInt(9) - 4) : (Object) random.nextInt();
      case LONG -> special ? (Object) (random.nextInt(9) - 4L) : (Object) random.nextLong();
      case FLOAT ->
          special
              ? (Object) (float) reals[random.nextInt(reals.length)]
              : (Object) ((random.nextFloat() - 0.5f) * 100);
      case DOUBLE ->
          special
              ? (Object) reals[random.nextInt(reals.length)]
              : (Object) ((random.nextDouble() - 0.5) * 100);
    };
  }

  private static Map<Role, List<Object>> inputs(Random random) {
    Map<Role, List<Object>> inputs = new EnumMap<>(Role.class);
    for (Role role : List.of(Role.LEFT, Role.RIGHT, Role.SOURCE, Role.DESTINATION, Role.EDGE)) {
      inputs.put(role, RandomIr.COLUMNS.stream().map(k -> value(k, random)).toList());
    }
    return inputs;
  }

  private static TranslationUnit unit(long seed, List<Call> calls) throws Exception {
    Random random = new Random(seed);
    TranslationUnit unit = new TranslationUnit(RandomIr.TABLES);
    for (int f = 0; f < FUNCTIONS; f++) {
      boolean sends = f % 3 == 0;
      IrFunction function =
          sends ? RandomIr.sending(random, "send" + f) : RandomIr.returning(random, "function" + f);
      Side side = sends ? Side.values()[random.nextInt(2)] : null;
      int index = sends ? unit.add(function, side, RandomIr.COLUMNS) : unit.add(function);
      for (int i = 0; i < CASES; i++) {
        Call call = new Call(function, side, inputs(random));
        unit.call(
            index,
            function.parameters().stream()
                .map(p -> call.inputs().get(p.role()).get(p.index()))
                .toList());
        calls.add(call);
      }
    }
    return unit;
  }

  /** What the oracle says, in the form of the printed code's outcome. */
  private static TranslationUnit.Outcome expected(Call call, FaultSites sites) {
    IrOracle.Outcome outcome =
        IrOracle.run(
            call.function(), (role, index) -> call.inputs().get(role).get(index), RandomIr.TABLES);
    List<Object> values = outcome.values();
    boolean has = false;
    if (call.side() != null) {
      values = null;
      for (IrOracle.Sent sent : outcome.sent()) {
        if (sent.side() == call.side()) {
          List<Object> columns = new ArrayList<>(sent.message());
          for (int c = 0; c < columns.size(); c++) {
            if (RandomIr.COLUMNS.get(c) == Kind.BOOLEAN) {
              columns.set(c, columns.get(c).equals(1));
            }
          }
          values = TranslationUnit.merge(values, columns);
          has = true;
        }
      }
    }
    int site =
        outcome.fault() == null
            ? -1
            : sites.list().indexOf(new FaultSite(call.function().name(), outcome.fault()));
    return new TranslationUnit.Outcome(site, has, TranslationUnit.canonical(values));
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12})
  void printedIsInterpreted(long seed, @TempDir Path directory) throws Exception {
    assumeTrue(TranslationUnit.has("g++"), "no g++ on the PATH: printed code is not run");
    List<Call> calls = new ArrayList<>();
    TranslationUnit unit = unit(seed, calls);
    List<TranslationUnit.Outcome> outcomes = unit.run(directory, "-O1");
    int faults = 0;
    int messages = 0;
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      TranslationUnit.Outcome expected = expected(call, unit.sites());
      TranslationUnit.Outcome got = outcomes.get(i);
      boolean returns = expected.values() != null;
      faults += expected.site() >= 0 ? 1 : 0;
      messages += expected.has() ? 1 : 0;
      assertThat(
              new TranslationUnit.Outcome(
                  got.site(), got.has(), returns ? TranslationUnit.canonical(got.values()) : null))
          .as(
              "seed %d, case %d, side %s, inputs %s\n%s",
              seed, i, call.side(), call.inputs(), IrPrinter.print(call.function()))
          .isEqualTo(expected);
    }
    // The test tests something.
    assertThat(faults).isBetween(calls.size() / 100, calls.size() / 2);
    assertThat(messages).isGreaterThan(calls.size() / 20);
  }

  /** The hidden class, also where local variables share slots as in a long function. */
  @ParameterizedTest
  @ValueSource(longs = {21, 22})
  void compiledIsInterpreted(long seed) {
    Random random = new Random(seed);
    for (int f = 0; f < FUNCTIONS; f++) {
      IrFunction function =
          f % 3 == 0
              ? RandomIr.sending(random, "send" + f)
              : RandomIr.returning(random, "function" + f);
      CompiledFunction plain = FunctionCompiler.compile(function, RandomIr.TABLES);
      CompiledFunction shared =
          FunctionCompiler.compile(withManyVariables(function), RandomIr.TABLES);
      for (int i = 0; i < CASES; i++) {
        Map<Role, List<Object>> inputs = inputs(random);
        IrOracle.Outcome outcome =
            IrOracle.run(function, (role, index) -> inputs.get(role).get(index), RandomIr.TABLES);
        List<Object> expected = new ArrayList<>();
        outcome.sent().forEach(sent -> expected.add(List.of(sent.side(), plain(sent.message()))));
        expected.add(outcome.fault() != null ? outcome.fault() : plain(outcome.values()));
        String context = "seed " + seed + ", inputs " + inputs + "\n" + IrPrinter.print(function);
        assertThat(called(plain, inputs)).as(context).isEqualTo(expected);
        assertThat(called(shared, inputs)).as("shared slots, " + context).isEqualTo(expected);
      }
    }
  }

  /** More than have slots that a short instruction can name. */
  private static IrFunction withManyVariables(IrFunction function) {
    List<Kind> variables = new ArrayList<>(function.variables());
    variables.addAll(Collections.nCopies(200, Kind.DOUBLE));
    return new IrFunction(
        function.name(),
        function.parameters(),
        function.results(),
        variables,
        function.labels(),
        function.code());
  }

  private static List<Object> called(CompiledFunction function, Map<Role, List<Object>> inputs) {
    List<Object> did = new ArrayList<>();
    Object[] arguments =
        function.function().parameters().stream()
            .map(p -> inputs.get(p.role()).get(p.index()))
            .toArray();
    try {
      List<Object> results =
          Arrays.asList(
              function.call(
                  arguments,
                  (side, message) -> did.add(List.of(side, plain(Arrays.asList(message))))));
      did.add(plain(results));
    } catch (FunctionFault e) {
      did.add(e.fail());
    }
    return did;
  }

  /** Truth values as numbers, all NaNs as one. */
  private static List<Object> plain(List<Object> values) {
    return values.stream()
        .map(v -> v instanceof Boolean flag ? (Object) (flag ? 1 : 0) : v)
        .toList();
  }

  @Test
  void deviceCompilerHasNoWarnings(@TempDir Path directory) throws Exception {
    assumeTrue(TranslationUnit.has("nvcc"), "no nvcc on the PATH: no device code is compiled");
    unit(13, new ArrayList<>()).compileForDevice(directory);
  }
}
