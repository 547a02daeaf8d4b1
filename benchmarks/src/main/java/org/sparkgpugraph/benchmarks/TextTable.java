package org.sparkgpugraph.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** A table with aligned columns; cells that start with a digit are aligned right. */
public final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  /** Starts with a head. */
  public TextTable(String... head) {
    rows.add(List.of(head));
  }

  /** Adds a row of as many cells as the head has. */
  public void add(List<String> row) {
    if (row.size() != rows.get(0).size()) {
      throw new IllegalArgumentException(row.size() + " cells, not " + rows.get(0).size());
    }
    rows.add(List.copyOf(row));
  }

  /** Adds a row unless the table has the same one. */
  public void addOnce(List<String> row) {
    if (!rows.contains(row)) {
      add(row);
    }
  }

  /** Number of rows below the head. */
  public int rows() {
    return rows.size() - 1;
  }

  /** The table, with a newline after every row. */
  @Override
  public String toString() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int c = 0; c < columns; c++) {
        widths[c] = Math.max(widths[c], row.get(c).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < columns; c++) {
        String cell = row.get(c);
        String padding = " ".repeat(widths[c] - cell.length());
        boolean right = !cell.isEmpty() && Character.isDigit(cell.charAt(0));
        line.append(c == 0 ? "" : "  ").append(right ? padding + cell : cell + padding);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
