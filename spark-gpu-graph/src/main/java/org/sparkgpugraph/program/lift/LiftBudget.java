package org.sparkgpugraph.program.lift;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.sparkgpugraph.program.Interruption;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.bytecode.MethodBody;

/**
 * What the lifting of a program may cost. Calls are inlined and paths over different objects get
 * code of their own, so a few lines may stand for millions of instructions: fifteen functions, each
 * of which calls the one before it twice, say. A program that reaches a limit is refused.
 *
 * <p>The limits are far above what can still be compiled: HotSpot interprets methods of more than
 * 8000 bytes of code, and no method has more than 65535.
 */
final class LiftBudget {
  /** Bytecode instructions that one function may execute symbolically. */
  static final int FUNCTION_INSTRUCTIONS = 100_000;

  /** The same of all functions of a program. */
  static final int PROGRAM_INSTRUCTIONS = 150_000;

  /** States between two instructions that are told apart in one function: blocks of code. */
  static final int STATES = 10_000;

  /** Values that these hold, taken together. */
  static final int VALUES = 1_000_000;

  /** Values inside one value: components of records, and of those in them. */
  static final int COMPONENTS = ValueType.MOST_COLUMNS;

  /** Records within records that one value may be. */
  static final int DEPTH = 100;

  private static final int CHECKED = 1024;

  private final Map<MethodBody, Integer> inlined = new LinkedHashMap<>();
  private String function = "";
  private long program;
  private int instructions;
  private int states;
  private long values;

  /** Begins the next function of the program. */
  void begin(String name) {
    function = name;
    instructions = 0;
    states = 0;
    values = 0;
    inlined.clear();
  }

  /** Notes that a method is inlined. */
  void enter(MethodBody body) {
    inlined.merge(body, 1, Integer::sum);
  }

  /**
   * Counts an instruction.
   *
   * @return why it is one too many; null when it is not
   * @throws IllegalStateException when the thread is interrupted
   */
  String instruction() {
    program++;
    instructions++;
    if (instructions % CHECKED == 0) {
      Interruption.check("function '" + function + "' is lifted");
    }
    if (instructions > FUNCTION_INSTRUCTIONS) {
      return "takes more than " + FUNCTION_INSTRUCTIONS + " instructions" + cause();
    }
    return program > PROGRAM_INSTRUCTIONS
        ? "takes, with the program's functions before it, more than "
            + PROGRAM_INSTRUCTIONS
            + " instructions"
            + cause()
        : null;
  }

  /**
   * Counts a state.
   *
   * @param holds number of values in it
   * @return why it is one too many; null when it is not
   */
  String state(int holds) {
    states++;
    values += holds;
    return states > STATES || values > VALUES
        ? "has too many branches, or too many combinations of object shapes at them (more than "
            + (states > STATES ? STATES + " blocks of code" : VALUES + " values in its blocks")
            + "); split the function, or use fewer nested branches over records"
        : null;
  }

  private String cause() {
    Map.Entry<MethodBody, Integer> most =
        inlined.entrySet().stream()
            .max(Comparator.comparingLong(e -> (long) e.getValue() * e.getKey().size()))
            .orElse(null);
    return most == null || most.getValue() == 1
        ? "; use a loop, or compute what is the same for all vertices outside the program and"
            + " capture it"
        : ", since calls are inlined: "
            + most.getKey().owner().replace('/', '.')
            + "."
            + most.getKey().method().name
            + " alone "
            + most.getValue()
            + " times; call it in a loop, keep its result in a variable, or compute it outside the"
            + " program and capture it";
  }
}
