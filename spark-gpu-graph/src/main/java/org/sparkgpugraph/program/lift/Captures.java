package org.sparkgpugraph.program.lift;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.sparkgpugraph.program.TableShape;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The captured values of a program, numbered in the order in which its functions read them, and its
 * tables likewise.
 */
final class Captures {
  private final List<Kind> kinds = new ArrayList<>();
  private final List<Object> values = new ArrayList<>();
  private final Map<Object, Integer> known = new HashMap<>();
  private final List<TableShape> tables = new ArrayList<>();
  private final List<Object> arrays = new ArrayList<>();
  private final Map<Object, Integer> knownTables = new HashMap<>();
  private final Map<Object, Object> layouts = new HashMap<>();

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

  /**
   * Returns the number of a table.
   *
   * @param identity what it is, as for {@link #add}
   * @param length index of the captured value that is its length
   * @param content gives its array, which is the program's alone
   */
  int table(Object identity, Kind kind, int length, Supplier<Object> content) {
    return knownTables.computeIfAbsent(
        identity,
        key -> {
          arrays.add(content.get());
          tables.add(new TableShape(kind, length));
          return tables.size() - 1;
        });
  }

  /** What is made of captured objects for their tables, once for all functions. */
  Map<Object, Object> layouts() {
    return layouts;
  }

  /** Bytes of all tables so far. */
  long tableBytes() {
    long bytes = 0;
    for (int t = 0; t < arrays.size(); t++) {
      bytes += (long) tables.get(t).kind().bytes() * Array.getLength(arrays.get(t));
    }
    return bytes;
  }

  List<TableShape> tables() {
    return tables;
  }

  List<Object> arrays() {
    return arrays;
  }

  List<Kind> kinds() {
    return kinds;
  }

  List<Object> values() {
    return values;
  }
}
