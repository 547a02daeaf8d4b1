package org.sparkgpugraph.program.ir;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the arrays of a function stand in memory. Arrays are values: a changed one is another one.
 * Where nobody needs the one before any more, both stand in the same place, so that a change writes
 * one element and a loop that fills an array copies nothing.
 */
public final class ArrayPlaces {
  /**
   * A piece of memory.
   *
   * @param type of the arrays in it
   * @param given variable of the parameter whose array it is, which is only read; {@link #NONE}: it
   *     is the function's own
   */
  public record Place(ArrayType type, int given) {
    /** Whether it is a parameter's. */
    public boolean isGiven() {
      return given != NONE;
    }
  }

  private static final int NONE = -1;

  private final List<Insn> code;
  private final Map<Integer, Integer> lengths;

  /** Variables of parameters that are arrays. */
  private final Set<Integer> given = new HashSet<>();

  /** Variables that hold something else than this one when it is written, and are still read. */
  private final Map<Integer, BitSet> conflicts = new HashMap<>();

  /** For each array variable one that stands for all in its place. */
  private final Map<Integer, Integer> leaders = new HashMap<>();

  private final Map<Integer, Integer> numbers = new HashMap<>();
  private final List<Place> places = new ArrayList<>();

  /** Finds the places of a function's arrays. */
  public ArrayPlaces(IrFunction function) {
    this(function.parameters(), function.variables(), function.code());
  }

  /**
   * Finds the places of the arrays of code.
   *
   * @param parameters of the function
   * @param kinds of the variables
   */
  public ArrayPlaces(List<Param> parameters, List<Kind> kinds, List<Insn> code) {
    this.code = code;
    lengths = lengths(parameters);
    if (lengths.isEmpty()) {
      return;
    }
    lengths.keySet().forEach(v -> leaders.put(v, v));
    lengths.keySet().forEach(v -> conflicts.put(v, new BitSet()));
    joinGiven();
    findConflicts();
    for (Insn insn : code) {
      int from = origin(insn);
      if (from >= 0 && lengths.containsKey(from)) {
        join(leader(insn.target()), leader(from));
      }
    }
    for (int variable : lengths.keySet().stream().sorted().toList()) {
      int leader = leader(variable);
      if (!numbers.containsKey(leader)) {
        numbers.put(leader, places.size());
        // Memory without elements is not a thing of every target.
        ArrayType type = new ArrayType(kinds.get(leader), Math.max(1, lengths.get(leader)));
        places.add(new Place(type, parameterAt(leader)));
      }
    }
  }

  private int parameterAt(int leader) {
    return given.stream().filter(v -> leader(v) == leader).findAny().orElse(NONE);
  }

  /** The variables that hold arrays, with the number of their elements. */
  private Map<Integer, Integer> lengths(List<Param> parameters) {
    Map<Integer, Integer> found = new HashMap<>();
    for (Param parameter : parameters) {
      if (parameter.length() > 0) {
        given.add(parameter.variable());
        found.put(parameter.variable(), parameter.length());
      }
    }
    int before = -1;
    while (found.size() != before) {
      before = found.size();
      for (Insn insn : code) {
        Integer length =
            insn instanceof Insn.Filled filled
                ? (Integer) filled.length()
                : found.get(origin(insn));
        if (length != null) {
          found.put(insn.target(), length);
        }
      }
    }
    return found;
  }

  /** The places, by their number. */
  public List<Place> places() {
    return places;
  }

  /** Whether a variable holds an array. */
  public boolean isArray(int variable) {
    return lengths.containsKey(variable);
  }

  /** The number of the place in which a variable's array stands. */
  public int of(int variable) {
    return numbers.get(leader(variable));
  }

  /** The array that an instruction makes its own of; −1: none. */
  private static int origin(Insn insn) {
    return insn instanceof Insn.With with
        ? with.array()
        : insn instanceof Insn.Copy copy ? copy.source() : -1;
  }

  private void findConflicts() {
    LiveVariables live = new LiveVariables(code);
    BitSet arrays = new BitSet();
    lengths.keySet().forEach(arrays::set);
    for (int i = 0; i < code.size(); i++) {
      int target = code.get(i).target();
      if (!lengths.containsKey(target)) {
        continue;
      }
      BitSet after = live.after(i);
      after.and(arrays);
      after.clear(target);
      if (code.get(i) instanceof Insn.Copy copy) {
        // Both are the same.
        after.clear(copy.source());
      }
      conflicts.get(target).or(after);
      after.stream().forEach(other -> conflicts.get(other).set(target));
    }
  }

  private int leader(int variable) {
    int leader = variable;
    while (leader >= 0 && leaders.get(leader) != leader) {
      leader = leaders.get(leader);
    }
    return leader;
  }

  private boolean isGiven(int leader) {
    return given.stream().anyMatch(v -> leader(v) == leader);
  }

  /** Puts what is never anything but a parameter's array into its place, which nobody writes. */
  private void joinGiven() {
    Map<Integer, List<Insn>> writers = new HashMap<>();
    for (Insn insn : code) {
      if (lengths.containsKey(insn.target())) {
        writers.computeIfAbsent(insn.target(), v -> new ArrayList<>()).add(insn);
      }
    }
    given.forEach(writers::remove);
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Map.Entry<Integer, List<Insn>> entry : writers.entrySet()) {
        int from = leader(origin(entry.getValue().get(0)));
        boolean same =
            entry.getValue().stream()
                .allMatch(insn -> insn instanceof Insn.Copy copy && leader(copy.source()) == from);
        if (same && given.contains(from) && leader(entry.getKey()) != from) {
          leaders.put(entry.getKey(), from);
          changed = true;
        }
      }
    }
  }

  /** Puts two groups of variables into one place, unless one of each are needed at one time. */
  private void join(int one, int other) {
    if (one == other || isGiven(one) || isGiven(other)) {
      return;
    }
    for (int variable : lengths.keySet()) {
      if (leader(variable) == one
          && conflicts.get(variable).stream().anyMatch(v -> leader(v) == other)) {
        return;
      }
    }
    leaders.put(other, one);
  }
}
