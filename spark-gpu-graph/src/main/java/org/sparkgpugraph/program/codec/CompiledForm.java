package org.sparkgpugraph.program.codec;

/** What reads and makes objects of one {@link ValueForm}, compiled for it. */
public interface CompiledForm {
  /**
   * Reads values into columns: value {@code positions[i]} goes to row {@code rows[i]} for i in
   * {@code [from, to)}.
   *
   * @param positions null: the identity
   * @param columns arrays of the columns
   * @param rows null: the identity; a negative row is skipped
   * @return the first i whose value was not read, because it or a component of it is null or of
   *     another class; {@code to} when all were
   */
  int read(Object[] values, int[] positions, int from, int to, Object[] columns, int[] rows);

  /**
   * Makes values: row {@code rows[i]} goes to {@code target[positions[i]]} for i in {@code [from,
   * to)}.
   *
   * @param rows null: the identity; a negative row is skipped
   * @param positions null: the identity
   * @param carriers has at the same place the value that carried components are taken from; null
   *     where the form has none
   */
  void write(
      Object[] columns,
      int[] rows,
      int from,
      int to,
      Object[] target,
      int[] positions,
      Object[] carriers);
}
