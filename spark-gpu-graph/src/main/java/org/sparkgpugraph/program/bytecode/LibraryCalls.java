package org.sparkgpugraph.program.bytecode;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
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
    for (String math : List.of("java/lang/Math.", "java/lang/StrictMath.")) {
      Arrays.stream(Intrinsic.values())
          .filter(Intrinsic::isReal)
          .forEach(function -> add(math, function, "D".repeat(function.arity()), "D"));
      for (String kind : List.of("I", "J", "F", "D")) {
        addAll(math, kind, Intrinsic.MIN, Intrinsic.MAX, Intrinsic.ABS);
      }
      for (String kind : List.of("F", "D")) {
        addAll(math, kind, Intrinsic.SIGNUM, Intrinsic.FMA, Intrinsic.COPY_SIGN);
      }
      for (String kind : List.of("I", "J")) {
        addAll(math, kind, Intrinsic.FLOOR_DIV, Intrinsic.FLOOR_MOD);
      }
      addAll(math, "J", Intrinsic.MULTIPLY_HIGH);
      add(math, Intrinsic.ROUND, "D", "J");
      add(math, Intrinsic.ROUND, "F", "I");
    }
    Map.of("java/lang/Integer.", "I", "java/lang/Long.", "J")
        .forEach(
            (owner, kind) -> {
              add(owner, Intrinsic.COMPARE_TOTAL, kind + kind, "I");
              add(owner, Intrinsic.BIT_COUNT, kind, "I");
              add(owner, Intrinsic.LEADING_ZEROS, kind, "I");
              add(owner, Intrinsic.TRAILING_ZEROS, kind, "I");
              addAll(owner, kind, Intrinsic.REVERSE);
              addAll(owner, kind, Intrinsic.HIGHEST_ONE_BIT, Intrinsic.LOWEST_ONE_BIT);
              add(owner, Intrinsic.ROTATE_LEFT, kind + "I", kind);
              add(owner, Intrinsic.ROTATE_RIGHT, kind + "I", kind);
            });
    Map.of("java/lang/Float.", "F", "java/lang/Double.", "D")
        .forEach(
            (owner, kind) -> {
              add(owner, Intrinsic.COMPARE_TOTAL, kind + kind, "I");
              add(owner, Intrinsic.IS_NAN, kind, "Z");
              add(owner, Intrinsic.IS_INFINITE, kind, "Z");
              add(owner, Intrinsic.IS_FINITE, kind, "Z");
            });
    INTRINSICS.put("java/lang/Float.floatToIntBits(F)I", Intrinsic.TO_BITS);
    INTRINSICS.put("java/lang/Float.floatToRawIntBits(F)I", Intrinsic.TO_RAW_BITS);
    INTRINSICS.put("java/lang/Float.intBitsToFloat(I)F", Intrinsic.FROM_BITS);
    INTRINSICS.put("java/lang/Double.doubleToLongBits(D)J", Intrinsic.TO_BITS);
    INTRINSICS.put("java/lang/Double.doubleToRawLongBits(D)J", Intrinsic.TO_RAW_BITS);
    INTRINSICS.put("java/lang/Double.longBitsToDouble(J)D", Intrinsic.FROM_BITS);
  }

  private LibraryCalls() {}

  /** Adds functions whose arguments and result are all of one kind. */
  private static void addAll(String owner, String kind, Intrinsic... functions) {
    for (Intrinsic function : functions) {
      add(owner, function, kind.repeat(function.arity()), kind);
    }
  }

  private static void add(String owner, Intrinsic function, String arguments, String result) {
    INTRINSICS.put(owner + function.method() + "(" + arguments + ")" + result, function);
  }

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
