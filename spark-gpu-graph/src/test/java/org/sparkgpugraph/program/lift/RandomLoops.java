package org.sparkgpugraph.program.lift;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.vector.Vectors;

/**
 * Random Java functions of an id and two arrays that loop over the elements: sums, extremes,
 * choices and flags, some together, one loop behind the other. Sums of small numbers are exact, so
 * that no order of adding them shows. Lanes can share all of them.
 */
public final class RandomLoops {
  private final Random random;
  private final String type;
  private final boolean real;
  private final StringBuilder out = new StringBuilder();

  /** Numbers that are known: what a later loop may read. */
  private final List<String> numbers = new ArrayList<>();

  private int names;

  private RandomLoops(Random random, Kind kind) {
    this.random = random;
    type = kind.primitive().getName();
    real = !kind.isIntegral();
  }

  /**
   * Writes and compiles functions.
   *
   * @param directory where to compile them
   * @return functions of values and messages that are arrays of the kind
   */
  @SuppressWarnings("unchecked") // the generated class has such a field
  public static List<VertexProgram<Object, Object>> of(
      Path directory, Kind kind, int count, long seed) throws Exception {
    Random random = new Random(seed);
    StringBuilder unit = new StringBuilder("package generated;\n");
    unit.append("import java.util.List;\nimport org.sparkgpugraph.function.VertexProgram;\n");
    unit.append("import org.sparkgpugraph.vector.*;\npublic class Loops {\n");
    StringBuilder all = new StringBuilder();
    for (int f = 0; f < count; f++) {
      unit.append(new RandomLoops(random, kind).function(f));
      String array = kind.primitive().getName() + "[]";
      all.append(f == 0 ? "" : ", ").append("(VertexProgram<").append(array).append(", ");
      all.append(array).append(">) (id, a, b) -> f").append(f).append("(id, a, b)");
    }
    unit.append("public static final List<VertexProgram<?, ?>> ALL = List.of(");
    unit.append(all).append(");\n}\n");
    Class<?> generated = RuntimeCompiler.compile(directory, "generated.Loops", unit.toString());
    return (List<VertexProgram<Object, Object>>) generated.getField("ALL").get(null);
  }

  /** A vertex program of arrays, lifted. */
  public static IrFunction lifted(VertexProgram<?, ?> function, Kind kind, int length) {
    ValueType vector = new ValueType.Vector(kind, length);
    SendMessage<float[], Integer, float[]> send = edge -> edge.sendToDst(edge.srcAttr());
    SendMessage<double[], Integer, double[]> doubles = edge -> edge.sendToDst(edge.srcAttr());
    SendMessage<int[], Integer, int[]> ints = edge -> edge.sendToDst(edge.srcAttr());
    SendMessage<long[], Integer, long[]> longs = edge -> edge.sendToDst(edge.srcAttr());
    MergeMessage<float[]> add = Vectors::add;
    MergeMessage<double[]> addDoubles = Vectors::add;
    MergeMessage<int[]> addInts = Vectors::add;
    MergeMessage<long[]> addLongs = Vectors::add;
    LiftedProgram program =
        ProgramLifter.lift(
                new ProgramSource(
                    vector,
                    new ValueType.Scalar(Kind.INT),
                    vector,
                    null,
                    function,
                    switch (kind) {
                      case FLOAT -> send;
                      case DOUBLE -> doubles;
                      case INT -> ints;
                      default -> longs;
                    },
                    switch (kind) {
                      case FLOAT -> add;
                      case DOUBLE -> addDoubles;
                      case INT -> addInts;
                      default -> addLongs;
                    },
                    null,
                    List.of(),
                    List.of(),
                    null))
            .program();
    return program.vertexProgram();
  }

  private String function(int number) {
    line("static T[] f%d(long id, T[] a, T[] b) {", number);
    line("T[] c = %s;", random.nextBoolean() ? "a.clone()" : "new T[a.length]");
    numbers.add("(id & 3)");
    numbers.add("1");
    int statements = 3 + random.nextInt(4);
    for (int s = 0; s < statements; s++) {
      statement();
    }
    String all = String.join(" + ", numbers);
    line("T rest = (T) ((%s) %% 16);", all);
    line("for (int i = 0; i < c.length; i++) { c[i] += rest; }");
    line("return c;\n}");
    return out.toString().replace("T[", type + "[").replaceAll("\\bT\\b", type);
  }

  private void line(String format, Object... arguments) {
    out.append(format.formatted(arguments)).append('\n');
  }

  private int pick(int bound) {
    return random.nextInt(bound);
  }

  private String fresh(String prefix) {
    return prefix + names++;
  }

  private String number() {
    return numbers.get(pick(numbers.size()));
  }

  private void statement() {
    switch (pick(10)) {
      case 0 -> {
        String s = fresh("s");
        line("T %s = %s;", s, element());
        numbers.add(s);
      }
      case 1 -> line("c[%s] = (T) (%s %% 32);", index(), number());
      case 2 -> library();
      case 3 -> ends();
      case 4 -> {
        String s = fresh("s");
        line("T %s = 3;", s);
        line("if (%s > %s) {", number(), element());
        line("for (int i = 0; i < a.length; i++) { %s += %s; }\n} else {", s, term());
        line("for (int i = 0; i < a.length; i++) { c[i] = (T) (%s %% 32); }\n}", term());
        numbers.add(s);
      }
      case 5 -> line("for (int i = 0; i < c.length; i++) { c[i] = (T) (%s %% 32); }", term());
      default -> loop();
    }
  }

  /** An element that all lanes read. */
  private String element() {
    return "abc".charAt(pick(3)) + "[" + index() + "]";
  }

  private String index() {
    return switch (pick(4)) {
      case 0 -> "0";
      case 1 -> "a.length - 1";
      case 2 -> "a.length / 2";
      default -> "(int) Math.floorMod(id + " + pick(9) + ", (long) a.length)";
    };
  }

  /** A number of a round. */
  private String term() {
    return switch (pick(9)) {
      case 0 -> "a[i]";
      case 1 -> "b[i]";
      case 2 -> "c[i]";
      case 3 -> "(a[i] - b[i])";
      case 4 -> "Math.abs(b[i])";
      case 5 -> "Math.min(a[i], c[i])";
      case 6 -> "(a[i] > b[i] ? a[i] : 2)";
      case 7 -> "(a[i] + (T) (" + number() + " % 8))";
      default -> "(i % 5)";
    };
  }

  private String condition() {
    return switch (pick(5)) {
      case 0 -> "a[i] < b[i]";
      case 1 -> term() + " > " + pick(4);
      case 2 -> "i % 3 == 1";
      case 3 -> "a[i] != b[i]";
      default -> term() + " >= " + number();
    };
  }

  private void loop() {
    int parts = 1 + pick(3);
    StringBuilder body = new StringBuilder();
    List<String> made = new ArrayList<>();
    for (int p = 0; p < parts; p++) {
      body.append(reduction(made));
    }
    boolean counts = pick(8) == 0;
    String from = pick(4) == 0 ? "1" : "0";
    String to = pick(6) == 0 ? "a.length - 1" : "a.length";
    if (counts) {
      String i = fresh("n");
      line("int %s = 0;", i);
      line("while (%s < a.length) {", i);
      line("%s%s++;\n}", body.toString().replaceAll("\\bi\\b", i), i);
      made.add(i);
    } else {
      line("for (int i = %s; i < %s; i++) {\n%s}", from, to, body);
    }
    numbers.addAll(made);
  }

  /** Statements of a round; the numbers that they hand on are declared before. */
  private String reduction(List<String> made) {
    String s = fresh("s");
    String n = fresh("n");
    String term = term();
    String than = List.of(">", "<", ">=", "<=").get(pick(4));
    int what = pick(12);
    if (what == 8 || what == 9) {
      line("boolean %s = %s;", s, what == 8 ? "false" : "true");
      made.add("(" + s + " ? 1 : 0)");
      return switch (pick(3)) {
        case 0 ->
            what == 8
                ? "%s |= %s;\n".formatted(s, condition())
                : "%s &= %s;\n".formatted(s, condition());
        case 1 ->
            what == 8
                ? "%s = %1$s || %s;\n".formatted(s, condition())
                : "%s = %1$s && %s;\n".formatted(s, condition());
        default -> "if (%s) { %s = %s; }\n".formatted(condition(), s, what == 8);
      };
    }
    String first = what == 4 || what == 5 ? element() : pick(3) + "";
    line("T %s = (T) %s;\nint %s = %d;", s, first, n, pick(2) - 1);
    made.add(s);
    made.add(n);
    return switch (what) {
      case 0 -> "%s += %s;\n%s += %s ? 1 : 0;\n".formatted(s, term, n, condition());
      case 1 -> "if (%s) { %s += %s; %s++; }\n".formatted(condition(), s, term, n);
      case 2 -> "%s -= %s;\n%s ^= i << 1;\n".formatted(s, term, n);
      case 3 -> "%s *= %s ? -1 : 1;\n%s |= 1 << (i & 7);\n".formatted(s, condition(), n);
      case 4 -> "%s = Math.max(%1$s, %s);\n%s &= i | 4;\n".formatted(s, term, n);
      case 5 -> "%s = Math.min(%s, %1$s);\n".formatted(s, term);
      case 6, 7 -> "if (%s %s %s) { %3$s = %1$s; %s = i; }\n".formatted(term, than, s, n);
      case 10 -> "if (%s) { %s = %s; %s = i; }\n".formatted(condition(), s, term, n);
      default ->
          "if (%s && %s %s %s) { %4$s = %2$s; %s = i; }\n".formatted(condition(), term, than, s, n);
    };
  }

  private void library() {
    String s = fresh("s");
    String call =
        switch (pick(9)) {
          case 0 -> "Reductions.dot(a, b) % 64";
          case 1 -> "Reductions.sum(c)";
          case 2 -> "Reductions.min(b)";
          case 3 -> "Reductions.max(c)";
          case 4 -> "Reductions.argMax(b)";
          case 5 -> "Reductions.argMin(c)";
          case 6 -> real ? "Norms.l1(a)" : "Reductions.sum(a)";
          case 7 -> real ? "Norms.maximum(b)" : "Reductions.max(a)";
          default -> real ? "Norms.distanceSquared(a, b) % 64" : "Reductions.dot(b, b) % 64";
        };
    line("T %s = (T) (%s);", s, call);
    numbers.add(s);
  }

  /** A loop that may end early. */
  private void ends() {
    String f = fresh("f");
    if (pick(2) == 0) {
      line("for (int i = 0; i < a.length; i++) {");
      line("if (a[i] == 3 && b[i] > 4) { return %s; }\n}", pick(2) == 0 ? "a.clone()" : "b");
    } else {
      line("boolean %s = false;", f);
      line("for (int i = 0; i < a.length; i++) {");
      line("if (%s) { %s = true; break; }\n}", condition(), f);
      numbers.add("(" + f + " ? 2 : 0)");
    }
  }
}
