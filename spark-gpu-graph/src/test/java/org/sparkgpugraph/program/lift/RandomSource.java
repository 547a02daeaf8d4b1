package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Writes random Java functions {@code (long id, V x, V y) -> V} over a record of all kinds:
 * expressions, locals, branches, loops, switches, helpers, nested records, library calls.
 */
final class RandomSource {
  static final List<Kind> COLUMNS =
      List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE, Kind.BOOLEAN, Kind.INT, Kind.DOUBLE);

  private final Random random;
  private final StringBuilder out = new StringBuilder();
  private final List<String[]> locals = new ArrayList<>();
  private int names;
  private int budget;

  private RandomSource(Random random) {
    this.random = random;
  }

  /** A compilation unit {@code Generated} with {@code count} functions in {@code ALL}. */
  static String unit(int count, long seed) {
    StringBuilder out = new StringBuilder();
    out.append(
        """
        package generated;
        import org.sparkgpugraph.function.VertexProgram;
        import java.util.List;
        import java.util.ArrayList;
        public final class Generated {
          public record P(int a, double b) {
            public P { if (b == 7.25) { b = -b; } }
            int twice() { return a + a; }
          }
          public record V(int i, long l, float f, double d, boolean z, P p) {}
          static final int KI = 17; static final double KD = -0.25; static final Long KL = 5_000_000_000L;
          static int clampInt(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
          static double pick(boolean c, double a, double b) { if (c) { return a; } return b; }
          static long mix(long v) { v ^= v >>> 33; v *= 0xff51afd7ed558ccdL; v ^= v >>> 33; return v; }
          static P swap(P p) { return new P((int) p.b(), p.a()); }
          static boolean same(P p, P q) { return p.equals(q); }
          public static final List<VertexProgram<V, V>> ALL = new ArrayList<>();
        """);
    Random random = new Random(seed);
    for (int i = 0; i < count; i++) {
      out.append(new RandomSource(random).function(i));
    }
    out.append("  static {\n");
    for (int i = 0; i < count; i++) {
      out.append("    ALL.add(f" + i + "(3, 2.5, true));\n");
    }
    out.append("  }\n}\n");
    return out.toString();
  }

  private String function(int index) {
    out.append("  static VertexProgram<V, V> f" + index + "(int ci, Double cd, boolean cz) {\n");
    out.append("    return (id, x, y) -> {\n");
    budget = 6 + random.nextInt(14);
    int statements = 1 + random.nextInt(5);
    for (int i = 0; i < statements; i++) {
      statement(2);
    }
    if (random.nextInt(8) == 0) {
      out.append("      if (" + expr(Kind.BOOLEAN, 1) + ") { return x; }\n");
    }
    out.append("      return new V(");
    out.append(expr(Kind.INT, 3)).append(", ");
    out.append(expr(Kind.LONG, 3)).append(", ");
    out.append(expr(Kind.FLOAT, 3)).append(", ");
    out.append(expr(Kind.DOUBLE, 3)).append(", ");
    out.append(expr(Kind.BOOLEAN, 3)).append(", ");
    out.append(pair(2)).append(");\n    };\n  }\n");
    return out.toString();
  }

  private String fresh() {
    return "v" + names++;
  }

  private static String type(Kind kind) {
    return kind.primitive().getName();
  }

  private Kind kind() {
    return Kind.values()[random.nextInt(5)];
  }

  private void statement(int depth) {
    if (budget-- <= 0) {
      return;
    }
    int mark = locals.size();
    switch (depth == 0 ? random.nextInt(3) : random.nextInt(8)) {
      case 0, 1 -> {
        Kind kind = kind();
        String value = expr(kind, 3);
        String name = fresh();
        out.append("      " + type(kind) + " " + name + " = " + value + ";\n");
        locals.add(new String[] {name, kind.name()});
      }
      case 2 -> {
        if (!locals.isEmpty()) {
          String[] local = locals.get(random.nextInt(locals.size()));
          Kind kind = Kind.valueOf(local[1]);
          out.append("      " + local[0] + " = " + expr(kind, 2) + ";\n");
        }
      }
      case 3 -> {
        out.append("      if (" + expr(Kind.BOOLEAN, 2) + ") {\n");
        statement(depth - 1);
        statement(depth - 1);
        drop(mark);
        if (random.nextBoolean()) {
          out.append("      } else {\n");
          statement(depth - 1);
          drop(mark);
        }
        out.append("      }\n");
      }
      case 4 -> {
        String name = fresh();
        out.append(
            "      for (int "
                + name
                + " = "
                + random.nextInt(3)
                + "; "
                + name
                + " < "
                + (2 + random.nextInt(5))
                + "; "
                + name
                + "++) {\n");
        statement(depth - 1);
        if (random.nextInt(3) == 0) {
          out.append(
              "        if ("
                  + expr(Kind.BOOLEAN, 1)
                  + ") { "
                  + (random.nextBoolean() ? "break" : "continue")
                  + "; }\n");
        }
        statement(depth - 1);
        drop(mark);
        out.append("      }\n");
      }
      case 5 -> {
        out.append(
            "      switch (" + expr(Kind.INT, 1) + (random.nextBoolean() ? " & 3" : "") + ") {\n");
        int cases = 1 + random.nextInt(3);
        int step = random.nextBoolean() ? 1 : 31;
        for (int i = 0; i < cases; i++) {
          out.append("        case " + i * step + ":\n");
          statement(0);
          drop(mark);
          if (random.nextInt(3) > 0) {
            out.append("        break;\n");
          }
        }
        out.append("        default:\n");
        statement(0);
        drop(mark);
        out.append("      }\n");
      }
      case 6 -> {
        if (!locals.isEmpty()) {
          String[] local = locals.get(random.nextInt(locals.size()));
          Kind kind = Kind.valueOf(local[1]);
          String op =
              kind == Kind.BOOLEAN
                  ? new String[] {"&=", "|=", "^="}[random.nextInt(3)]
                  : new String[] {"+=", "-=", "*="}[random.nextInt(3)];
          out.append("      " + local[0] + " " + op + " " + expr(kind, 2) + ";\n");
        }
      }
      default -> {
        String p = fresh();
        out.append("      P " + p + " = " + pair(2) + ";\n");
        String name = fresh();
        out.append("      double " + name + " = " + p + ".b() + " + p + ".twice();\n");
        locals.add(new String[] {name, Kind.DOUBLE.name()});
      }
    }
  }

  private void drop(int mark) {
    while (locals.size() > mark) {
      locals.remove(locals.size() - 1);
    }
  }

  private String pair(int depth) {
    return switch (random.nextInt(depth == 0 ? 2 : 5)) {
      case 0 -> "x.p()";
      case 1 -> "y.p()";
      case 2 -> "swap(" + pair(depth - 1) + ")";
      case 3 ->
          "(" + expr(Kind.BOOLEAN, 1) + " ? " + pair(depth - 1) + " : " + pair(depth - 1) + ")";
      default -> "new P(" + expr(Kind.INT, 1) + ", " + expr(Kind.DOUBLE, 1) + ")";
    };
  }

  private String any(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private String leaf(Kind kind) {
    List<String> choices = new ArrayList<>();
    for (String[] local : locals) {
      if (local[1].equals(kind.name())) {
        choices.add(local[0]);
        choices.add(local[0]);
      }
    }
    choices.addAll(
        switch (kind) {
          case INT ->
              List.of(
                  "x.i()",
                  "y.i()",
                  "x.p().a()",
                  "ci",
                  "KI",
                  "7",
                  "-1",
                  "0",
                  "Integer.MIN_VALUE",
                  "1000003",
                  "y.p().twice()");
          case LONG ->
              List.of(
                  "x.l()",
                  "y.l()",
                  "id",
                  "KL.longValue()",
                  "(0L + KL)",
                  "3L",
                  "Long.MAX_VALUE",
                  "(long) x.i()");
          case FLOAT -> List.of("x.f()", "y.f()", "2.5f", "-0.0f", "Float.NaN", "1e30f", "0f");
          case DOUBLE ->
              List.of(
                  "x.d()",
                  "y.d()",
                  "x.p().b()",
                  "cd.doubleValue()",
                  "(0.0 + cd)",
                  "KD",
                  "0.1",
                  "-0.0",
                  "3.0",
                  "Double.POSITIVE_INFINITY",
                  "1e-3");
          case BOOLEAN -> List.of("x.z()", "y.z()", "cz", "true", "x.p().equals(y.p())");
        });
    return choices.get(random.nextInt(choices.size()));
  }

  private String expr(Kind kind, int depth) {
    if (depth <= 0 || random.nextInt(6) == 0) {
      return leaf(kind);
    }
    int d = depth - 1;
    if (random.nextInt(8) == 0) {
      return "(" + expr(Kind.BOOLEAN, d) + " ? " + expr(kind, d) + " : " + expr(kind, d) + ")";
    }
    return switch (kind) {
      case BOOLEAN -> bool(d);
      case INT -> integer(d);
      case LONG -> wide(d);
      case FLOAT -> floating(Kind.FLOAT, d);
      case DOUBLE -> floating(Kind.DOUBLE, d);
    };
  }

  private String bool(int d) {
    Kind kind = Kind.values()[1 + random.nextInt(4)];
    return switch (random.nextInt(7)) {
      case 0 -> "(" + expr(Kind.BOOLEAN, d) + " && " + expr(Kind.BOOLEAN, d) + ")";
      case 1 -> "(" + expr(Kind.BOOLEAN, d) + " || " + expr(Kind.BOOLEAN, d) + ")";
      case 2 -> "!" + expr(Kind.BOOLEAN, d);
      case 3 ->
          any(
              "same(" + pair(d) + ", " + pair(d) + ")",
              "Double.isNaN(" + expr(Kind.DOUBLE, d) + ")",
              "Float.isInfinite(" + expr(Kind.FLOAT, d) + ")",
              "Double.valueOf(" + expr(Kind.DOUBLE, d) + ").equals(" + expr(Kind.DOUBLE, d) + ")",
              "(" + expr(Kind.BOOLEAN, d) + " ^ " + expr(Kind.BOOLEAN, d) + ")");
      default ->
          "("
              + expr(kind, d)
              + any(" < ", " <= ", " > ", " >= ", " == ", " != ")
              + expr(kind, d)
              + ")";
    };
  }

  private String integer(int d) {
    String a = expr(Kind.INT, d);
    String b = expr(Kind.INT, d);
    return switch (random.nextInt(9)) {
      case 0, 1, 2 ->
          "("
              + a
              + any(" + ", " - ", " * ", " / ", " % ", " & ", " | ", " ^ ", " << ", " >> ", " >>> ")
              + b
              + ")";
      case 3 -> "(-" + "(" + a + "))";
      case 4 -> "(int) " + any(expr(Kind.LONG, d), expr(Kind.FLOAT, d), expr(Kind.DOUBLE, d));
      case 5 -> "(" + any("byte", "short", "char") + ") " + "(" + a + ")";
      case 6 -> "(" + a + any(" << ", " >> ", " >>> ") + "(int) " + expr(Kind.LONG, d) + ")";
      case 7 ->
          any(
              "Math.min(" + a + ", " + b + ")",
              "Math.max(" + a + ", " + b + ")",
              "Math.abs(" + a + ")",
              "Math.addExact(" + a + ", " + b + ")",
              "Math.multiplyExact(" + a + ", " + b + ")",
              "Math.floorMod(" + a + ", " + b + ")",
              "Math.floorDiv(" + a + ", " + b + ")",
              "Integer.compare(" + a + ", " + b + ")",
              "Integer.signum(" + a + ")",
              "Integer.bitCount(" + a + ")",
              "Integer.numberOfLeadingZeros(" + a + ")",
              "Integer.reverse(" + a + ")",
              "Integer.highestOneBit(" + a + ")",
              "Integer.rotateLeft(" + a + ", " + b + ")",
              "Integer.divideUnsigned(" + a + ", " + b + ")",
              "Integer.hashCode(" + a + ")",
              "clampInt(" + a + ", " + b + ", 1000)");
      default ->
          any(
              "Math.round(" + expr(Kind.FLOAT, d) + ")",
              "Float.floatToIntBits(" + expr(Kind.FLOAT, d) + ")",
              "Double.compare(" + expr(Kind.DOUBLE, d) + ", " + expr(Kind.DOUBLE, d) + ")",
              "Float.compare(" + expr(Kind.FLOAT, d) + ", " + expr(Kind.FLOAT, d) + ")",
              "Long.compare(" + expr(Kind.LONG, d) + ", " + expr(Kind.LONG, d) + ")",
              "Double.hashCode(" + expr(Kind.DOUBLE, d) + ")",
              "Boolean.hashCode(" + expr(Kind.BOOLEAN, d) + ")",
              "Long.numberOfTrailingZeros(" + expr(Kind.LONG, d) + ")",
              "Math.toIntExact(" + expr(Kind.LONG, d) + ")",
              "Math.getExponent(" + expr(Kind.DOUBLE, d) + ")",
              "Double.valueOf(" + expr(Kind.DOUBLE, d) + ").intValue()");
    };
  }

  private String wide(int d) {
    String a = expr(Kind.LONG, d);
    String b = expr(Kind.LONG, d);
    return switch (random.nextInt(8)) {
      case 0, 1, 2 ->
          "(" + a + any(" + ", " - ", " * ", " / ", " % ", " & ", " | ", " ^ ") + b + ")";
      case 3 -> "(" + a + any(" << ", " >> ", " >>> ") + any(expr(Kind.INT, d), b) + ")";
      case 4 -> "(long) " + any(expr(Kind.INT, d), expr(Kind.FLOAT, d), expr(Kind.DOUBLE, d));
      case 5 -> "(-(" + a + "))";
      case 6 ->
          any(
              "Math.min(" + a + ", " + b + ")",
              "Math.max(" + a + ", " + b + ")",
              "Math.abs(" + a + ")",
              "Math.subtractExact(" + a + ", " + b + ")",
              "Math.floorMod(" + a + ", " + b + ")",
              "Math.floorDiv(" + a + ", " + b + ")",
              "Math.multiplyHigh(" + a + ", " + b + ")",
              "mix(" + a + ")",
              "Long.sum(" + a + ", " + b + ")",
              "Long.reverse(" + a + ")",
              "Long.lowestOneBit(" + a + ")",
              "Long.rotateRight(" + a + ", " + expr(Kind.INT, d) + ")",
              "Math.negateExact(" + a + ")");
      default ->
          any(
              "Math.round(" + expr(Kind.DOUBLE, d) + ")",
              "Double.doubleToLongBits(" + expr(Kind.DOUBLE, d) + ")",
              "Integer.toUnsignedLong(" + expr(Kind.INT, d) + ")");
    };
  }

  private String floating(Kind kind, int d) {
    String a = expr(kind, d);
    String b = expr(kind, d);
    boolean single = kind == Kind.FLOAT;
    return switch (random.nextInt(7)) {
      case 0, 1, 2 -> "(" + a + any(" + ", " - ", " * ", " / ", " % ") + b + ")";
      case 3 -> "(-(" + a + "))";
      case 4 ->
          "("
              + type(kind)
              + ") "
              + any(
                  expr(Kind.INT, d),
                  expr(Kind.LONG, d),
                  expr(single ? Kind.DOUBLE : Kind.FLOAT, d));
      case 5 ->
          any(
              "Math.min(" + a + ", " + b + ")",
              "Math.max(" + a + ", " + b + ")",
              "Math.abs(" + a + ")",
              "Math.signum(" + a + ")",
              "StrictMath.copySign(" + a + ", " + b + ")",
              "Math.fma(" + a + ", " + b + ", 0.5f)",
              "Math.ulp(" + a + ")",
              "Math.nextUp(" + a + ")");
      default ->
          single
              ? any(
                  "Float.sum(" + a + ", " + b + ")",
                  "Float.intBitsToFloat(" + expr(Kind.INT, d) + ")")
              : any(
                  "Math.sqrt(" + a + ")",
                  "Math.floor(" + a + ")",
                  "Math.ceil(" + a + ")",
                  "Math.rint(" + a + ")",
                  "Math.toRadians(" + a + ")",
                  "pick(" + expr(Kind.BOOLEAN, d) + ", " + a + ", " + b + ")",
                  "Double.longBitsToDouble(" + expr(Kind.LONG, d) + ")");
    };
  }
}
