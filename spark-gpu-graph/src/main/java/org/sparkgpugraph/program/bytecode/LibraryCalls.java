package org.sparkgpugraph.program.bytecode;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The static methods of the JDK that a lifted program may call: those that are an {@link
 * Intrinsic}, and the classes whose other methods are simple enough to be inlined from their own
 * bytecode (Math.floorMod of mixed types, Integer.signum, Math.addExact, …).
 */
public final class LibraryCalls {
  private static final Set<String> INLINED =
      Set.of(
          "java/lang/Math",
          "java/lang/StrictMath",
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Float",
          "java/lang/Double",
          "java/lang/Boolean",
          "java/lang/Byte",
          "java/lang/Short",
          "java/lang/Character",
          "java/util/Objects");

  private static final Map<String, Intrinsic> INTRINSICS = new HashMap<>();

  static {
    Map<String, Intrinsic> onDouble =
        Map.ofEntries(
            Map.entry("sqrt", Intrinsic.SQRT),
            Map.entry("floor", Intrinsic.FLOOR),
            Map.entry("ceil", Intrinsic.CEIL),
            Map.entry("rint", Intrinsic.RINT),
            Map.entry("exp", Intrinsic.EXP),
            Map.entry("expm1", Intrinsic.EXPM1),
            Map.entry("log", Intrinsic.LOG),
            Map.entry("log10", Intrinsic.LOG10),
            Map.entry("log1p", Intrinsic.LOG1P),
            Map.entry("sin", Intrinsic.SIN),
            Map.entry("cos", Intrinsic.COS),
            Map.entry("tan", Intrinsic.TAN),
            Map.entry("asin", Intrinsic.ASIN),
            Map.entry("acos", Intrinsic.ACOS),
            Map.entry("atan", Intrinsic.ATAN),
            Map.entry("sinh", Intrinsic.SINH),
            Map.entry("cosh", Intrinsic.COSH),
            Map.entry("tanh", Intrinsic.TANH),
            Map.entry("cbrt", Intrinsic.CBRT));
    for (String math : new String[] {"java/lang/Math.", "java/lang/StrictMath."}) {
      onDouble.forEach((name, function) -> INTRINSICS.put(math + name + "(D)D", function));
      for (String kind : new String[] {"I", "J", "F", "D"}) {
        String binary = "(" + kind + kind + ")" + kind;
        INTRINSICS.put(math + "min" + binary, Intrinsic.MIN);
        INTRINSICS.put(math + "max" + binary, Intrinsic.MAX);
        INTRINSICS.put(math + "abs(" + kind + ")" + kind, Intrinsic.ABS);
      }
      for (String kind : new String[] {"F", "D"}) {
        INTRINSICS.put(math + "signum(" + kind + ")" + kind, Intrinsic.SIGNUM);
        INTRINSICS.put(math + "fma(" + kind + kind + kind + ")" + kind, Intrinsic.FMA);
        INTRINSICS.put(math + "copySign(" + kind + kind + ")" + kind, Intrinsic.COPY_SIGN);
      }
      INTRINSICS.put(math + "round(D)J", Intrinsic.ROUND);
      INTRINSICS.put(math + "round(F)I", Intrinsic.ROUND);
      INTRINSICS.put(math + "atan2(DD)D", Intrinsic.ATAN2);
      INTRINSICS.put(math + "hypot(DD)D", Intrinsic.HYPOT);
      INTRINSICS.put(math + "pow(DD)D", Intrinsic.POW);
      INTRINSICS.put(math + "multiplyHigh(JJ)J", Intrinsic.MULTIPLY_HIGH);
      for (String kind : new String[] {"I", "J"}) {
        INTRINSICS.put(math + "floorDiv(" + kind + kind + ")" + kind, Intrinsic.FLOOR_DIV);
        INTRINSICS.put(math + "floorMod(" + kind + kind + ")" + kind, Intrinsic.FLOOR_MOD);
      }
    }
    for (Kind kind : new Kind[] {Kind.INT, Kind.LONG}) {
      String owner = kind.box().getName().replace('.', '/') + ".";
      String d = kind == Kind.INT ? "I" : "J";
      INTRINSICS.put(owner + "compare(" + d + d + ")I", Intrinsic.COMPARE_TOTAL);
      INTRINSICS.put(owner + "bitCount(" + d + ")I", Intrinsic.BIT_COUNT);
      INTRINSICS.put(owner + "numberOfLeadingZeros(" + d + ")I", Intrinsic.LEADING_ZEROS);
      INTRINSICS.put(owner + "numberOfTrailingZeros(" + d + ")I", Intrinsic.TRAILING_ZEROS);
      INTRINSICS.put(owner + "reverse(" + d + ")" + d, Intrinsic.REVERSE);
      INTRINSICS.put(owner + "highestOneBit(" + d + ")" + d, Intrinsic.HIGHEST_ONE_BIT);
      INTRINSICS.put(owner + "lowestOneBit(" + d + ")" + d, Intrinsic.LOWEST_ONE_BIT);
      INTRINSICS.put(owner + "rotateLeft(" + d + "I)" + d, Intrinsic.ROTATE_LEFT);
      INTRINSICS.put(owner + "rotateRight(" + d + "I)" + d, Intrinsic.ROTATE_RIGHT);
    }
    for (Kind kind : new Kind[] {Kind.FLOAT, Kind.DOUBLE}) {
      String owner = kind.box().getName().replace('.', '/') + ".";
      String d = kind == Kind.FLOAT ? "F" : "D";
      INTRINSICS.put(owner + "compare(" + d + d + ")I", Intrinsic.COMPARE_TOTAL);
      INTRINSICS.put(owner + "isNaN(" + d + ")Z", Intrinsic.IS_NAN);
      INTRINSICS.put(owner + "isInfinite(" + d + ")Z", Intrinsic.IS_INFINITE);
      INTRINSICS.put(owner + "isFinite(" + d + ")Z", Intrinsic.IS_FINITE);
    }
    INTRINSICS.put("java/lang/Float.floatToIntBits(F)I", Intrinsic.TO_BITS);
    INTRINSICS.put("java/lang/Float.floatToRawIntBits(F)I", Intrinsic.TO_RAW_BITS);
    INTRINSICS.put("java/lang/Float.intBitsToFloat(I)F", Intrinsic.FROM_BITS);
    INTRINSICS.put("java/lang/Double.doubleToLongBits(D)J", Intrinsic.TO_BITS);
    INTRINSICS.put("java/lang/Double.doubleToRawLongBits(D)J", Intrinsic.TO_RAW_BITS);
    INTRINSICS.put("java/lang/Double.longBitsToDouble(J)D", Intrinsic.FROM_BITS);
  }

  private LibraryCalls() {}

  /** The intrinsic of a static method, or null. */
  public static Intrinsic intrinsic(String owner, String name, String descriptor) {
    return INTRINSICS.get(owner + "." + name + descriptor);
  }

  /** Why a call of another library method is refused. */
  public static String unknown(String owner, String name) {
    return "calls "
        + owner.replace('/', '.')
        + "."
        + name
        + ", which is not among the library methods that can be lifted (Math, and the arithmetic"
        + " of Integer, Long, Float, Double, Boolean); compute it outside the program and capture"
        + " the result";
  }

  /** Whether a class belongs to the Java or Scala library. */
  public static boolean isLibrary(String owner) {
    return owner.startsWith("java/")
        || owner.startsWith("javax/")
        || owner.startsWith("jdk/")
        || owner.startsWith("sun/")
        || owner.startsWith("scala/");
  }

  /** Whether static methods of this JDK class are inlined from bytecode. */
  public static boolean isInlined(String owner) {
    return INLINED.contains(owner) || owner.startsWith("scala/runtime/Rich");
  }

  /** The kind of a box class by internal name, or null. */
  public static Kind boxKind(String internalName) {
    return switch (internalName) {
      case "java/lang/Boolean" -> Kind.BOOLEAN;
      case "java/lang/Integer" -> Kind.INT;
      case "java/lang/Long" -> Kind.LONG;
      case "java/lang/Float" -> Kind.FLOAT;
      case "java/lang/Double" -> Kind.DOUBLE;
      default -> null;
    };
  }
}
