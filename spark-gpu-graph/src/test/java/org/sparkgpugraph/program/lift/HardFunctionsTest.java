package org.sparkgpugraph.program.lift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.Refusal;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.cuda.TranslationUnit;
import org.sparkgpugraph.program.hoist.Hoisting;
import org.sparkgpugraph.program.hoist.UniformBranches;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.jvm.CodeGenerationException;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;

/**
 * Functions that are ordinary but long, or that share what they compute so often that it could not
 * be written down as a tree: they are lifted in a moment and do what the original does, or are
 * refused in a moment.
 */
@Tag("any-spark")
class HardFunctionsTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final ValueType LONG = new ValueType.Scalar(Kind.LONG);
  private static final int CASES = 50;
  private static final String ROUND =
      "x ^= x >>> 33; x *= 0xff51afd7ed558ccdL; x ^= x >>> 33; x *= 0xc4ceb9fe1a85ec53L;"
          + " x ^= x >>> 33;";

  private static int files;

  @TempDir Path directory;

  /** A function of longs as vertex program, merge and in what is sent: all that walks code. */
  private record Program(
      VertexProgram<Object, Object> vertexProgram,
      SendMessage<Object, Object, Object> send,
      MergeMessage<Object> merge) {}

  /** Compiles {@code long f(long x, long y) { body }} with other members beside it. */
  @SuppressWarnings("unchecked")
  private Program compile(String body, String members) throws Exception {
    String name = "Hard" + files++;
    Class<?> generated =
        RuntimeCompiler.compile(
            directory,
            "generated." + name,
            """
            package generated;
            import org.sparkgpugraph.*;
            import org.sparkgpugraph.function.*;
            public final class NAME {
              MEMBERS
              static long f(long x, long y) {
                BODY
              }
              public static final VertexProgram<Long, Long> VERTEX = (id, x, y) -> f(x, y);
              public static final MergeMessage<Long> MERGE = (x, y) -> f(x, y);
              public static final SendMessage<Long, Long, Long> SEND = edge -> {
                if (f(edge.srcAttr(), edge.attr()) < edge.dstAttr()) {
                  edge.sendToDst(f(edge.srcAttr(), 7L));
                }
              };
            }
            """
                .replace("NAME", name)
                .replace("MEMBERS", members)
                .replace("BODY", body));
    return new Program(
        (VertexProgram<Object, Object>) generated.getField("VERTEX").get(null),
        (SendMessage<Object, Object, Object>) generated.getField("SEND").get(null),
        (MergeMessage<Object>) generated.getField("MERGE").get(null));
  }

  private static ProgramSource source(Program program, MergeMessage<?> merge) {
    return new SourceBuilder()
        .attribute(LONG)
        .edge(LONG)
        .message(LONG)
        .vertexProgram(program.vertexProgram)
        .send(program.send)
        .merge(merge)
        .build();
  }

  private static ProgramSource source(Program program) {
    return source(program, (MergeMessage<Long>) Math::min);
  }

  /** Lifts, and looks at the program with all that looks at programs. */
  private static LiftedProgram examined(ProgramSource source) {
    LiftedProgram program = ProgramLifter.lift(source).program();
    for (boolean inPlace : new boolean[] {false, true}) {
      LiftedProgram hoisted = Hoisting.apply(program, inPlace);
      FunctionTraits.stableColumns(hoisted);
      new UniformBranches(hoisted.vertexProgram());
      new UniformBranches(hoisted.send());
    }
    return program;
  }

  /** Lambda == representation == hidden class == printed C. */
  private void checkSame(Program program) throws Exception {
    VertexProgram<Object, Object> original = program.vertexProgram;
    FunctionTrial.Lifted lifted = FunctionTrial.lift(original, "apply", true, LONG, LONG, LONG);
    FunctionTrial.compare(
        "f", lifted, (x, y) -> original.apply(1, x, y), Long.class, Long.class, 1, 5, CASES);
    assumeTrue(TranslationUnit.has("g++"), "no g++ on the PATH: printed code is not run");
    TranslationUnit unit = new TranslationUnit();
    int index = unit.add(lifted.function());
    Random random = new Random(3);
    List<Object> expected = new ArrayList<>();
    for (int i = 0; i < CASES; i++) {
      Object x = i % 3 == 0 ? random.nextLong() : random.nextInt(6000) - 1000L;
      Object y = random.nextLong();
      expected.add(original.apply(1, x, y));
      unit.call(
          index,
          lifted.function().parameters().stream().map(p -> p.role() == Role.LEFT ? x : y).toList());
    }
    assertThat(unit.run(directory, "-O0"))
        .extracting(outcome -> outcome.values().get(0))
        .isEqualTo(expected);
  }

  private static String repeat(int count, IntFunction<String> line) {
    return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 60})
  void finalisers(int rounds) throws Exception {
    Program program = compile("x += y;" + repeat(rounds, i -> ROUND) + "return x;", "");
    assertTimeoutPreemptively(
        LIMIT,
        () -> {
          examined(source(program, program.merge));
          checkSame(program);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 4000})
  void dependentStatements(int statements) throws Exception {
    Program program = compile(repeat(statements, i -> "x = x * 31 + y;") + "return x;", "");
    assertTimeoutPreemptively(
        LIMIT,
        () -> {
          examined(source(program));
          checkSame(program);
        });
  }

  /** Each walk that once recursed, over a chain as long as the code. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "x = Math.min(x, y + x);",
        "x = (x & 1L) == (y & 1L) ? x + 3 : y;",
        "x = Integer.compare(Long.compare(x, y), 0);",
        "x = x > y ? x : y + x;",
        "x = Math.floorDiv(x, 3L) / 7;",
      })
  void longChains(String statement) throws Exception {
    Program program = compile(repeat(700, i -> statement) + "return x;", "");
    assertTimeoutPreemptively(
        LIMIT,
        () -> {
          examined(source(program, program.merge));
          checkSame(program);
        });
  }

  private static String doubling(int depth) {
    return "static long f0(long x) { return x * 31 ^ (x >>> 7); }\n"
        + repeat(
            depth,
            i ->
                """
                static long fNEXT(long x) { return fTHIS(x) + fTHIS(x * 3 + 1); }
                """
                    .replace("NEXT", "" + (i + 1))
                    .replace("THIS", "" + i));
  }

  @Test
  void callsThatDoubleAFewTimesAreInlined() throws Exception {
    Program program = compile("return f8(x) + y;", doubling(8));
    assertTimeoutPreemptively(
        LIMIT,
        () -> {
          examined(source(program));
          checkSame(program);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {14, 30})
  void callsThatDoubleTooOftenAreRefused(int depth) throws Exception {
    Program program = compile("x++;\n return f" + depth + "(x) + y;", doubling(depth));
    long start = System.nanoTime();
    NotLiftableException refused =
        assertTimeoutPreemptively(
            LIMIT,
            () ->
                catchThrowableOfType(
                    NotLiftableException.class, () -> ProgramLifter.lift(source(program))));
    assertThat(System.nanoTime() - start).as("nanoseconds").isLessThan(10_000_000_000L);
    assertThat(refused.refusals()).extracting(Refusal::function).contains("vertexProgram");
    Refusal refusal = refused.refusals().get(0);
    assertThat(refusal.where().className()).startsWith("generated.Hard");
    assertThat(refusal.where().line()).isPositive();
    assertThat(refusal.reason())
        .contains("more than 100000 instructions")
        .contains(refusal.where().className() + ".f")
        .contains("times");
  }

  @Test
  void whatAProgramsFunctionsTakeIsAddedUp() throws Exception {
    Program program = compile("return f11(x) + f8(y);", doubling(11));
    assertThat(
            catchThrowableOfType(
                    NotLiftableException.class, () -> examined(source(program, program.merge)))
                .refusals()
                .get(0)
                .reason())
        .contains("with the program's functions before it", "" + LiftBudget.PROGRAM_INSTRUCTIONS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void largeSwitches(boolean dense) throws Exception {
    String cases =
        repeat(
            3000,
            i -> {
              int key = dense ? i : i * 104729 * (i % 2 == 0 ? 1 : -1);
              return "case " + key + ": return " + (i * 7919L % 5000) + "L;";
            });
    Program program = compile("switch ((int) x) {" + cases + "default: return y; }", "");
    assertTimeoutPreemptively(
        LIMIT,
        () -> {
          LiftedProgram lifted = examined(source(program));
          assertThat(switches(lifted.vertexProgram())).isEqualTo(1);
          checkSame(program);
        });
  }

  @Test
  void casesThatGoToOnePlaceAreCopiedThereOnce() throws Exception {
    Program program =
        compile(
            "long r; switch ((int) x) {"
                + repeat(6000, i -> "case " + i * 10007 + ":")
                + "r = x; break; default: r = y; } return r + 1;",
            "");
    VertexProgram<Object, Object> original = program.vertexProgram;
    FunctionTrial.Lifted lifted = FunctionTrial.lift(original, "apply", true, LONG, LONG, LONG);
    assertThat(lifted.function().code()).hasSizeLessThan(50);
    FunctionTrial.compare(
        "f", lifted, (x, y) -> original.apply(1, x, y), Long.class, Long.class, 1, 5, CASES);
  }

  /** Few instructions, but tables of a hundred kilobytes: found before a run begins. */
  @Test
  void switchesThatTheJvmDoesNotTakeAreFoundBeforeARun() throws Exception {
    Program program =
        compile(
            "return g((int) x) + g((int) y);",
            "static long g(int v) { switch (v) {"
                + repeat(5000, i -> "case " + i * 10007 + ":")
                + "return 1; default: return 2; } }");
    LiftedProgram lifted = ProgramLifter.lift(source(program)).program();
    RunSettings settings =
        new RunSettings(
            new Object[] {0L},
            null,
            ActiveDirection.EITHER,
            Gather.ACTIVE,
            3,
            false,
            KernelChoice.AUTO,
            1,
            null);
    assertThatThrownBy(() -> CpuEngine.check(lifted, settings))
        .isInstanceOf(CodeGenerationException.class)
        .hasMessageContaining("the JVM does not take the code");
  }

  /** Cases that fall through, share a body, loop or return. */
  @Test
  void switchesWithBodies() throws Exception {
    String cases =
        repeat(
            60,
            i ->
                switch (i % 5) {
                  case 0 -> "case " + i + ": x += y;";
                  case 1 -> "case " + i + ":";
                  case 2 -> "case " + i + ": x ^= " + i + "; break;";
                  case 3 -> "case " + i + ": return x / (y & 3L);";
                  default ->
                      "case " + i + ": for (int k = 0; k < " + i + "; k++) { x += k; } break;";
                });
    Program program =
        compile(
            "for (int i = 0; i < 3; i++) { switch ((int) (x & 63)) {"
                + cases
                + "default: x++; } } return x;",
            "");
    VertexProgram<Object, Object> original = program.vertexProgram;
    FunctionTrial.Lifted lifted = FunctionTrial.lift(original, "apply", true, LONG, LONG, LONG);
    assertThat(switches(lifted.function())).isEqualTo(1);
    FunctionTrial.compare(
        "f", lifted, (x, y) -> original.apply(1, x, y), Long.class, Long.class, 1, 5, 2000);
    examined(source(program, program.merge));
  }

  private static long switches(IrFunction function) {
    return function.code().stream().filter(Insn.Switch.class::isInstance).count();
  }

  @Test
  void ternariesInALoop() throws Exception {
    Program program =
        compile(
            "for (int i = 0; i < 5; i++) {"
                + repeat(300, i -> "x += (x & " + (i + 1) + "L) == 0 ? y : x >>> " + i % 7 + ";")
                + "} return x;",
            "");
    assertTimeoutPreemptively(
        LIMIT,
        () -> {
          examined(source(program));
          checkSame(program);
        });
  }

  @Test
  void recordsWithinRecordsAreRefusedWhenTheyAreTooLarge() throws Exception {
    String records =
        "record P0(long a, long b) {}\n"
            + repeat(
                30,
                i ->
                    "record PNEXT(PTHIS a, PTHIS b) {}"
                        .replace("NEXT", "" + (i + 1))
                        .replace("THIS", "" + i));
    String body =
        "P0 p0 = new P0(x, y);"
            + repeat(
                30,
                i ->
                    "PNEXT pNEXT = new PNEXT(pTHIS, pTHIS);"
                        .replace("NEXT", "" + (i + 1))
                        .replace("THIS", "" + i))
            + "return p30.a().b().equals(p29) ? x : y;";
    Program program = compile(body, records);
    assertTimeoutPreemptively(
        LIMIT,
        () ->
            assertThatThrownBy(() -> ProgramLifter.lift(source(program)))
                .isInstanceOf(NotLiftableException.class)
                .hasMessageContaining("more than 4096 values"));
  }

  /** Each record holds the one before it; all of them stay in locals, or one local has the last. */
  @ParameterizedTest
  @ValueSource(strings = {"C cNEXT = new C(y, cTHIS);", "c0 = new C(y, c0); if (x > y) { x++; }"})
  void chainsOfRecordsAreLiftedOrRefusedAtOnce(String link) throws Exception {
    for (int length : new int[] {80, 2000}) {
      Program program =
          compile(
              "C c0 = new C(x, null);"
                  + repeat(length, i -> link.replace("NEXT", "" + (i + 1)).replace("THIS", "" + i))
                  + "return c"
                  + (link.contains("NEXT") ? length : 0)
                  + ".v() + x;",
              "record C(long v, C next) {}");
      VertexProgram<Object, Object> original = program.vertexProgram;
      assertTimeoutPreemptively(
          LIMIT,
          () -> {
            if (length < LiftBudget.DEPTH) {
              FunctionTrial.compare(
                  "f",
                  FunctionTrial.lift(original, "apply", true, LONG, LONG, LONG),
                  (x, y) -> original.apply(1, x, y),
                  Long.class,
                  Long.class,
                  1,
                  5,
                  CASES);
            } else {
              assertThatThrownBy(() -> ProgramLifter.lift(source(program)))
                  .isInstanceOf(NotLiftableException.class)
                  .hasMessageContaining("records within records, more than " + LiftBudget.DEPTH);
            }
          });
    }
  }

  /** The frames of its bytecode take more memory than ASM allows unless it is told. */
  @Test
  void manyLocalsInALoopWithBranches() throws Exception {
    int count = 200;
    Program program =
        compile(
            repeat(
                    count,
                    i ->
                        """
                        long aI = x * I + y;
                        double dI = aI * 0.5;
                        int nI = (int) dI;
                        """
                            .replace("I", "" + i))
                + "for (int k = 0; k < 3; k++) {"
                + repeat(
                    count,
                    i ->
                        "aI += nJ; if (dK > x) { dI += aJ; }"
                            .replace("I", "" + i)
                            .replace("J", "" + i * 7 % count)
                            .replace("K", "" + i * 3 % count))
                + "} long r = 0;"
                + repeat(count, i -> "r += aI + (long) dI + nI;".replace("I", "" + i))
                + "return r;",
            "");
    VertexProgram<Object, Object> original = program.vertexProgram;
    FunctionTrial.Lifted lifted = FunctionTrial.lift(original, "apply", true, LONG, LONG, LONG);
    FunctionTrial.compare(
        "f", lifted, (x, y) -> original.apply(1, x, y), Long.class, Long.class, 1, 5, CASES);
  }

  private record Chain(int value, Object next) {}

  private record Tree(Object left, Object right) {}

  @Test
  void capturedRecordsAreRefusedWhenTheyAreTooDeepOrTooLarge() {
    Object chain = 1;
    for (int i = 0; i < 100_000; i++) {
      chain = new Chain(i, chain);
    }
    Object tree = 1;
    for (int i = 0; i < 40; i++) {
      tree = new Tree(tree, tree);
    }
    Object deep = chain;
    Object large = tree;
    assertThatThrownBy(() -> liftCapturing(deep)).hasMessageContaining("records within records");
    assertThatThrownBy(() -> liftCapturing(large)).hasMessageContaining("more than 4096 values");
  }

  private static void liftCapturing(Object captured) {
    VertexProgram<Long, Long> function = (id, x, y) -> captured == null ? x : y;
    assertTimeoutPreemptively(
        LIMIT, () -> FunctionTrial.lift(function, "apply", true, LONG, LONG, LONG));
  }

  private record Self(int value, Self next) {}

  @Test
  void aRecordWithinItselfIsOnlyCarriedAlong() {
    ValueType.Struct self = (ValueType.Struct) ValueType.of(Self.class);
    assertThat(self.fields().get(1).type()).isInstanceOf(ValueType.Opaque.class);
    assertThat(self.columns()).containsExactly(Kind.INT);
  }

  @Test
  void anInterruptEndsALift() throws Exception {
    Program program = compile("return f12(x) + y;", doubling(12));
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> ProgramLifter.lift(source(program)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("interrupted while");
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
