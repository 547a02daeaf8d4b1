package org.sparkgpugraph.frame.table;

import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;
import org.sparkgpugraph.program.ir.Kind;

/** An array of primitives as a column of Spark SQL, without nulls. */
final class ArrayVector extends ColumnVector {
  private final boolean[] booleans;
  private final int[] ints;
  private final long[] longs;
  private final float[] floats;
  private final double[] doubles;

  /**
   * @param array of a {@link Kind}; it is not copied, and may be longer than the column
   */
  ArrayVector(Object array) {
    super(ValueColumns.type(Kind.of(array.getClass().getComponentType())));
    booleans = array instanceof boolean[] a ? a : null;
    ints = array instanceof int[] a ? a : null;
    longs = array instanceof long[] a ? a : null;
    floats = array instanceof float[] a ? a : null;
    doubles = array instanceof double[] a ? a : null;
  }

  @Override
  public boolean getBoolean(int row) {
    return booleans[row];
  }

  @Override
  public int getInt(int row) {
    return ints[row];
  }

  @Override
  public long getLong(int row) {
    return longs[row];
  }

  @Override
  public float getFloat(int row) {
    return floats[row];
  }

  @Override
  public double getDouble(int row) {
    return doubles[row];
  }

  @Override
  public boolean hasNull() {
    return false;
  }

  @Override
  public int numNulls() {
    return 0;
  }

  @Override
  public boolean isNullAt(int row) {
    return false;
  }

  @Override
  public void close() {
    // The array is the block's.
  }

  @Override
  public byte getByte(int row) {
    throw other("byte");
  }

  @Override
  public short getShort(int row) {
    throw other("short");
  }

  @Override
  public ColumnarArray getArray(int row) {
    throw other("array");
  }

  @Override
  public ColumnarMap getMap(int row) {
    throw other("map");
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    throw other("decimal");
  }

  @Override
  public UTF8String getUTF8String(int row) {
    throw other("string");
  }

  @Override
  public byte[] getBinary(int row) {
    throw other("binary");
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    throw other("struct");
  }

  /** Spark reads a column as its type says: this would be an error of the plan. */
  private UnsupportedOperationException other(String asked) {
    return new UnsupportedOperationException(
        "a column of " + dataType().sql() + " is read as " + asked);
  }
}
