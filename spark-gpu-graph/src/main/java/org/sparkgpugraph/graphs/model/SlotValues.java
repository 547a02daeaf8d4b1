package org.sparkgpugraph.graphs.model;

/** Values of a vertex partition of which components are those of the values that it had before. */
@FunctionalInterface
public interface SlotValues {
  /**
   * Makes the values.
   *
   * @param before the partition's values before, by slot
   * @return the new ones, by slot
   */
  Object array(Object before);
}
