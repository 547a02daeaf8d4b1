package org.sparkgpugraph.program.cuda;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ir.ArrayPlaces;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.Insn;

/**
 * Where a team has the arrays that code makes: one that is returned where the result goes, if no
 * other goes there, and all others behind each other in its own memory.
 */
final class TeamMemory {
  private static final int NONE = -1;

  private final int[] offsets;

  /** For each place the column of the result in which it stands. */
  private final int[] columns;

  private int bytes;

  TeamMemory(ArrayPlaces places, List<Insn> code) {
    int count = places.places().size();
    columns = new int[count];
    offsets = new int[count];
    Arrays.fill(columns, NONE);
    Map<Integer, Integer> taken = new HashMap<>();
    for (Insn insn : code) {
      if (insn instanceof Insn.Return returned) {
        for (int c = 0; c < returned.values().size(); c++) {
          int value = returned.values().get(c);
          if (places.isArray(value)) {
            int place = places.of(value);
            boolean free = !places.places().get(place).isGiven() && columns[place] == NONE;
            if (free && taken.putIfAbsent(c, place) == null) {
              columns[place] = c;
            }
          }
        }
      }
    }
    for (int place = 0; place < count; place++) {
      if (!places.places().get(place).isGiven() && columns[place] == NONE) {
        offsets[place] = bytes;
        bytes += bytes(places.places().get(place).type());
      }
    }
  }

  private static int bytes(ArrayType type) {
    return (type.length() * type.kind().bytes() + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
  }

  /** Bytes of the team's own memory. */
  int bytes() {
    return bytes;
  }

  /** Where a place that is not given is, as a pointer to a type. */
  String pointer(int place, String type) {
    return columns[place] == NONE
        ? "(%s*)(memory + %d)".formatted(type, offsets[place])
        : "result.c" + columns[place];
  }

  /** Whether an array that is returned in a column stands there. */
  boolean isThere(int place, int column) {
    return columns[place] == column;
  }
}
