package com.nvidia.spark;

import ai.rapids.cudf.ColumnVector;

public interface RapidsUDF {
  default ColumnVector evaluateColumnar(ColumnVector... columns) {
    throw new UnsupportedOperationException();
  }

  default ColumnVector evaluateColumnar(int rows, ColumnVector... columns) {
    return evaluateColumnar(columns);
  }
}
