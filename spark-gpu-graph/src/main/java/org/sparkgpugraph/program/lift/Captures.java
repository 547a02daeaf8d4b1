package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ir.Kind;

/** The captured values of a program, numbered in the order in which its functions read them. */
final class Captures {
  private final List<Kind> kinds = new ArrayList<>();
  private final List<Object> values = new ArrayList<>();
  private final Map<Object, Integer> known = new HashMap<>();

  /**
   * Returns the index of a captured value.
   *
   * @param identity what it is (equal keys are the same value), so that one value is passed once
   * @param value its box
   */
  int add(Object identity, Kind kind, Object value) {
    return known.computeIfAbsent(
        identity,
        key -> {
          kinds.add(kind);
          values.add(value);
          return kinds.size() - 1;
        });
  }

  List<Kind> kinds() {
    return kinds;
  }

  List<Object> values() {
    return values;
  }
}
