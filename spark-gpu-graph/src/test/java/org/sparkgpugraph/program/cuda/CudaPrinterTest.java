package org.sparkgpugraph.program.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.FaultSite;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.jvm.IrBuilder;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.program.lift.SourceBuilder;
import org.sparkgpugraph.testing.RandomPrograms;
import org.sparkgpugraph.testing.TestProgram;

@Tag("any-spark")
class CudaPrinterTest {
  private static final Pattern IDENTIFIER = Pattern.compile("(?<![\\w.])[A-Za-z_$]\\w*");

  /** Everything that printed code may say, beside variables, labels, columns and the library. */
  private static final Set<String> WORDS =
      Set.of(
          "static",
          "__device__",
          "__forceinline__",
          "__noinline__",
          "void",
          "unsigned",
          "long",
          "int",
          "float",
          "double",
          "bool",
          "true",
          "if",
          "goto",
          "return",
          "struct",
          "fault",
          "row",
          "result",
          "message",
          "has",
          "sent");

  private static IrFunction lowest() {
    IrBuilder ir = new IrBuilder("merge");
    int left = ir.parameter(Role.LEFT, 0, Kind.DOUBLE);
    int right = ir.parameter(Role.RIGHT, 0, Kind.DOUBLE);
    int other = ir.newLabel();
    ir.branch(Condition.NOT_LT, left, right, other);
    ir.returns(left);
    ir.label(other);
    ir.returns(right);
    return ir.build(Kind.DOUBLE);
  }

  @Test
  void aFunctionReadsLikeItsRepresentation() {
    CudaPrinter printer = new CudaPrinter();
    assertThat(printer.function("merge", lowest(), "Message"))
        .isEqualTo(
            """
            // merge
            static __device__ __forceinline__ void merge(unsigned long long* fault, int row, double p0, double p1, Message& result) {
              double v0 = p0;  // LEFT 0
              double v1 = p1;  // RIGHT 0
              if (!(v0 < v1)) goto L0;  // Test.merge:1
              result.c0 = v0; return;  // Test.merge:2
            L0:;
              result.c0 = v1;  // Test.merge:4
            }
            """);
    assertThat(printer.origins()).containsExactly("merge: merge from Test.merge:1-4");
    assertThat(printer.sites().list()).isEmpty();
  }

  @Test
  void aSendFunctionIsPrintedForOneSide() {
    IrBuilder ir = new IrBuilder("send");
    int source = ir.parameter(Role.SOURCE, 0, Kind.LONG);
    int edge = ir.parameter(Role.EDGE, 0, Kind.LONG);
    int sum = ir.binary(BinaryOp.ADD, source, edge);
    int product = ir.binary(BinaryOp.MULTIPLY, source, edge);
    ir.emit(Side.DESTINATION, sum).emit(Side.SOURCE, product).returns();
    IrFunction send = ir.build();
    String out =
        new CudaPrinter()
            .send("out", send, Side.DESTINATION, "M", sent -> "merge(message, has, " + sent + ");");
    assertThat(out)
        .contains(
            "out(unsigned long long* fault, int row, long long p0, long long p1, M& message, bool& has)")
        .contains("  v2 = sgg_add(v0, v1);")
        .contains("  { M sent = {v2}; merge(message, has, sent); }")
        .doesNotContain("multiply")
        .doesNotContain("v3");
    String in = new CudaPrinter().send("in", send, Side.SOURCE, "M", sent -> ";");
    assertThat(in).contains("sgg_multiply").doesNotContain("sgg_add");
  }

  @Test
  void tablesArePointersBehindTheParameters() {
    IrBuilder ir = new IrBuilder("merge");
    int index = ir.parameter(Role.LEFT, 0, Kind.INT);
    ir.returns(ir.load(3, Kind.DOUBLE, index), ir.load(1, Kind.BOOLEAN, index));
    IrFunction merge = ir.build(Kind.DOUBLE, Kind.BOOLEAN);
    assertThat(new CudaPrinter().function("merge", merge, "R"))
        .contains("int p0, const unsigned char* table1, const double* table3, R& result)")
        .contains("  v1 = sgg_load_table(table3 + v0);")
        .contains("  v2 = sgg_load_table(table1 + v0);");
    IrBuilder send = new IrBuilder("send");
    send.emit(Side.SOURCE, send.parameter(Role.EDGE, 0, Kind.INT)).returns();
    // What the merge statement reads is given to the send function.
    assertThat(
            new CudaPrinter()
                .send("send", send.build(), Side.SOURCE, merge.tables(), "M", sent -> "merge();"))
        .contains("int p0, const unsigned char* table1, const double* table3, M& message");
  }

  @Test
  void faultSitesAreSharedByAllFunctionsOfASource() {
    CudaPrinter printer = new CudaPrinter();
    IrFunction first = new IrBuilder("first").fail(FaultCode.THROWN, "a \"text\" */ \\").build();
    IrFunction second = new IrBuilder("second").fail(FaultCode.ARRAY_INDEX, "").build();
    assertThat(printer.function("f", first, "R")).contains("sgg_fail(fault, row, 0);");
    assertThat(printer.function("g", second, "R")).contains("sgg_fail(fault, row, 1);");
    // The same function for another side or kernel: the same place.
    assertThat(printer.function("h", first, "R")).contains("sgg_fail(fault, row, 0);");
    assertThat(printer.sites().list())
        .extracting(FaultSite::function)
        .containsExactly("first", "second");
    assertThat(printer.sites().list().get(1).fail().code()).isEqualTo(FaultCode.ARRAY_INDEX);
    assertThat(printer.function("f", first, "R")).doesNotContain("text");
  }

  @Test
  void unreachableAndUnreadCodeIsLeftOut() {
    IrBuilder ir = new IrBuilder("f");
    int x = ir.parameter(Role.VALUE, 0, Kind.INT);
    int unread = ir.parameter(Role.VALUE, 1, Kind.INT);
    int wasted = ir.binary(BinaryOp.MULTIPLY, x, unread);
    ir.binary(BinaryOp.ADD, wasted, wasted);
    int end = ir.newLabel();
    int never = ir.newLabel();
    ir.branch(Condition.NE, x, x, never);
    ir.jump(end);
    ir.label(never);
    ir.fail(FaultCode.THROWN, "");
    ir.label(end);
    ir.returns(x);
    String text = new CudaPrinter().function("f", ir.build(Kind.INT), "R");
    assertThat(text)
        .isEqualTo(
            """
            // f
            static __device__ __forceinline__ void f(unsigned long long* fault, int row, int p0, int p1, R& result) {
              int v0 = p0;  // VALUE 0
              result.c0 = v0;  // Test.f:8
            }
            """);
  }

  @Test
  void namesOfTheUserStayInTheirComment() {
    SourcePosition odd = new SourcePosition("a.B\\", "λ\n#error\r\\", 3);
    IrFunction function =
        new IrFunction(
            "send\nfault",
            List.of(new Param(Role.VALUE, 0, 0)),
            List.of(Kind.INT),
            List.of(Kind.INT),
            0,
            List.of(new Insn.Return(List.of(0), odd)));
    String text = new CudaPrinter().function("f", function, "R");
    assertThat(text.lines()).hasSize(5).noneMatch(line -> line.endsWith("\\"));
    assertThat(text).contains("// a.B?.??#error??:3").contains("// send?fault");
    assertThat(text).doesNotContain("\n#");
  }

  @Test
  void literalsAreExact() {
    assertThat(CTypes.literal(true)).isEqualTo("1");
    assertThat(CTypes.literal(-5)).isEqualTo("-5");
    assertThat(CTypes.literal(Integer.MIN_VALUE)).isEqualTo("(-2147483647 - 1)");
    assertThat(CTypes.literal(7L)).isEqualTo("7LL");
    assertThat(CTypes.literal(Long.MIN_VALUE)).isEqualTo("(-9223372036854775807LL - 1)");
    assertThat(CTypes.literal(0.15f)).isEqualTo("0x1.333334p-3f /* 0.15 */");
    assertThat(CTypes.literal(0.85)).isEqualTo("0x1.b333333333333p-1 /* 0.85 */");
    assertThat(CTypes.literal(-0.0)).isEqualTo("-0.0");
    assertThat(CTypes.literal(-2.5f)).isEqualTo("-2.5f");
    assertThat(CTypes.literal(Double.NEGATIVE_INFINITY))
        .isEqualTo("sgg_double_from_bits(0xfff0000000000000ULL) /* -Infinity */");
    assertThat(CTypes.literal(Float.NaN)).isEqualTo("sgg_float_from_bits(0x7fc00000U) /* NaN */");
    assertThatThrownBy(() -> CTypes.literal("x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("String");
  }

  @Test
  void columnsAreIntsInRegistersAndBytesInMemory() {
    assertThat(CTypes.struct("Value", List.of(Kind.values())))
        .isEqualTo("struct Value { int c0; int c1; long long c2; float c3; double c4; };\n");
    assertThat(CTypes.memory(Kind.BOOLEAN)).isEqualTo("unsigned char");
    assertThat(CTypes.memory(Kind.LONG)).isEqualTo("long long");
  }

  @Test
  void wrongArityIsRefused() {
    IrBuilder ir = new IrBuilder("f");
    int x = ir.parameter(Role.VALUE, 0, Kind.DOUBLE);
    int y = ir.call(Intrinsic.ATAN2, Kind.DOUBLE, x);
    IrFunction function = ir.returns(y).build(Kind.DOUBLE);
    assertThatThrownBy(() -> new CudaPrinter().function("f", function, "R"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ATAN2 takes 2 arguments");
  }

  /** BOOLEAN and INT stand for each other, as constants, operands, messages and results. */
  @Test
  void truthValuesAndIntsMix(@TempDir Path directory) throws Exception {
    assumeTrue(TranslationUnit.has("g++"), "no g++ on the PATH: printed code is not run");
    IrBuilder ir = new IrBuilder("mixed");
    int flag = ir.parameter(Role.VALUE, 0, Kind.BOOLEAN);
    int number = ir.parameter(Role.VALUE, 1, Kind.INT);
    int one = ir.constant(Kind.INT, 1);
    int yes = ir.constant(Kind.BOOLEAN, true);
    int bit = ir.binary(BinaryOp.AND, number, one);
    int asFlag = ir.variable(Kind.BOOLEAN);
    ir.copy(asFlag, bit);
    int asNumber = ir.variable(Kind.INT);
    ir.copy(asNumber, flag);
    int sum = ir.binary(BinaryOp.ADD, asNumber, number);
    int both = ir.binary(BinaryOp.XOR, flag, asFlag);
    int shifted = ir.binary(BinaryOp.SHIFT_LEFT, number, yes);
    int odd = ir.binary(BinaryOp.OR, bit, flag);
    ir.returns(bit, flag, both, sum, shifted, odd);
    IrFunction function =
        ir.build(Kind.BOOLEAN, Kind.INT, Kind.BOOLEAN, Kind.INT, Kind.INT, Kind.BOOLEAN);
    TranslationUnit unit = new TranslationUnit();
    int index = unit.add(function);
    unit.call(index, List.of(true, 5));
    unit.call(index, List.of(false, -8));
    assertThat(unit.run(directory, "-O1"))
        .extracting(TranslationUnit.Outcome::values)
        .containsExactly(
            List.of(true, 1, false, 6, 10, true), List.of(false, 0, false, -8, -16, false));
  }

  /** Lifted programs of every shape compile, and name nothing of the user's. */
  @Test
  void printedProgramsNameNoUserType(@TempDir Path directory) throws Exception {
    TranslationUnit unit = new TranslationUnit();
    for (long seed = 0; seed < 40; seed++) {
      LiftedProgram program = lifted(RandomPrograms.any(seed));
      List<IrFunction> functions = new ArrayList<>();
      functions.add(program.initialState());
      functions.add(program.vertexProgram());
      functions.add(program.merge());
      functions.add(program.activeWhen());
      functions.add(program.resultFunction());
      program.aggregates().forEach(a -> functions.add(a.function()));
      functions.removeIf(f -> f == null);
      CudaPrinter printer = new CudaPrinter();
      for (IrFunction function : functions) {
        unit.add(function);
        check(printer.function("f", function, "R"));
      }
      for (Side side : Side.values()) {
        unit.add(program.send(), side, program.message().columns());
        check(printer.send("f", program.send(), side, "R", sent -> "has = true;"));
      }
      // What the user's source is called is told to people only.
      assertThat(printer.origins()).hasSize(functions.size() + 2);
    }
    if (TranslationUnit.has("nvcc")) {
      unit.compileForDevice(directory);
    }
    assumeTrue(TranslationUnit.has("g++"), "no g++ on the PATH: printed code is not compiled");
    unit.run(directory, "-O0");
  }

  private static LiftedProgram lifted(TestProgram<?, ?, ?, ?, ?> program) {
    return ProgramLifter.lift(
            new SourceBuilder()
                .attribute(ValueType.of(program.attribute))
                .edge(ValueType.of(program.edge))
                .message(ValueType.of(program.message))
                .initialState(program.state)
                .vertexProgram(program.vertexProgram)
                .send(program.send)
                .merge(program.merge)
                .activeWhen(program.activeWhen)
                .aggregates(program.aggregates)
                .finalAggregates(program.finalAggregates)
                .resultFunction(program.result)
                .build())
        .program();
  }

  /** A compiler that unrolls its loops wherever it is called takes minutes. */
  @Test
  void aLongFunctionThatMakesArraysIsCalled() {
    for (int additions : new int[] {20, 300}) {
      org.sparkgpugraph.program.ir.IrBuilder f =
          new org.sparkgpugraph.program.ir.IrBuilder("f", CudaPrinterTest.class);
      int sum = f.parameter(Role.LEFT, 0, Kind.INT);
      int array = f.filled(8, sum);
      for (int i = 0; i < additions; i++) {
        sum = f.add(sum, f.element(array, f.constant(i % 8)));
      }
      f.leave(List.of(sum));
      String text = new CudaPrinter().function("f", f.build(List.of(Kind.INT)), "R");
      assertThat(text.contains("__noinline__")).as(text).isEqualTo(additions == 300);
    }
  }

  private static void check(String text) {
    String code = text.replaceAll("//[^\n]*", "").replaceAll("/\\*.*?\\*/", "");
    Set<String> strangers = new TreeSet<>();
    Matcher matcher = IDENTIFIER.matcher(code);
    while (matcher.find()) {
      String word = matcher.group();
      if (!WORDS.contains(word) && !word.matches("[vpLc]\\d+|f|R|sgg_[a-z0-9_]+")) {
        strangers.add(word);
      }
    }
    assertThat(strangers).as(text).isEmpty();
  }
}
