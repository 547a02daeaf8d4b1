package org.sparkgpugraph.graphs.rdd;

import java.io.Serializable;

/**
 * Values of some vertices of a GraphX vertex partition. Not a record: it may travel through Spark's
 * serializer, and Kryo cannot read records.
 */
public final class MaskedValues implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Object values;
  private final boolean[] present;

  /**
   * @param values an array with a value, or room for one, in each slot of the partition
   * @param present which slots have one
   */
  public MaskedValues(Object values, boolean[] present) {
    this.values = values;
    this.present = present;
  }

  /** An array with a value, or room for one, in each slot. */
  public Object values() {
    return values;
  }

  /** Which slots have one. */
  public boolean[] present() {
    return present;
  }
}
