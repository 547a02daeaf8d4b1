package org.sparkgpugraph.frame.pregel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.frame.pregel.Trees.OnError;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;

/** Casts between numbers and truth values, and of structs field by field. */
final class CastRules {
  private CastRules() {}

  static void addTo(Map<Class<?>, ExpressionLowering.Rule> rules) {
    rules.put(
        Cast.class,
        (l, t) -> {
          Expression child = Trees.child(t, 0);
          return cast(l, t, l.lower(child), child.dataType(), t.dataType());
        });
  }

  private static Cell cast(
      ExpressionLowering lowering, Expression tree, Cell cell, DataType from, DataType to) {
    if (from instanceof StructType struct && to instanceof StructType target) {
      List<Cell> fields = new ArrayList<>();
      StructField[] before = struct.fields();
      StructField[] after = target.fields();
      for (int i = 0; i < before.length; i++) {
        Cell field = ((Cell.Struct) cell).fields().get(i);
        fields.add(cast(lowering, tree, field, before[i].dataType(), after[i].dataType()));
      }
      return new Cell.Struct(fields, cell.valid());
    } else if (from.sameType(to)) {
      return cell;
    } else if (from instanceof NullType) {
      return Cells.none(lowering.code(), to);
    } else if (!isPlain(from) || !isPlain(to)) {
      throw new UnliftableException(
          "casts %s to %s in %s".formatted(from.simpleString(), to.simpleString(), tree.sql()));
    }
    Cell.Scalar scalar = (Cell.Scalar) cell;
    CodeWriter code = lowering.code();
    Kind kind = Layout.kind(to);
    if (to instanceof BooleanType) {
      int zero = code.constant(scalar.kind(), 0);
      return Cells.truth(code.test(Condition.NE, scalar.variable(), zero), scalar.valid());
    }
    int result = ArithmeticRules.narrowed(code, to, code.convert(scalar.variable(), kind));
    int valid = scalar.valid();
    OnError onError = Trees.onError(tree);
    if (onError != OnError.LEGACY && mayOverflow(from, to)) {
      int overflows = overflows(code, scalar, to, result);
      if (onError == OnError.ANSI) {
        code.failIf(
            code.and(code.flag(valid), overflows), FaultCode.ARITHMETIC_OVERFLOW, tree.sql());
      } else {
        valid = code.both(valid, code.validity(code.not(overflows)));
      }
    }
    return new Cell.Scalar(kind, result, valid);
  }

  private static boolean isPlain(DataType type) {
    return type instanceof BooleanType || size(type) > 0;
  }

  /** What a type has room for: integers by their bytes, real numbers behind them. */
  private static int size(DataType type) {
    if (type instanceof ByteType) {
      return 1;
    } else if (type instanceof ShortType) {
      return 2;
    } else if (type instanceof IntegerType) {
      return 4;
    } else if (type instanceof LongType) {
      return 8;
    }
    return type instanceof FloatType ? 16 : type instanceof DoubleType ? 32 : 0;
  }

  private static boolean mayOverflow(DataType from, DataType to) {
    return size(to) <= 8 && size(from) > size(to);
  }

  private static int overflows(CodeWriter code, Cell.Scalar value, DataType to, int result) {
    if (value.kind().isIntegral()) {
      int again = code.convert(result, value.kind());
      return code.test(Condition.NE, again, value.variable());
    }
    // Spark's rule: the number's floor and ceiling are in the range of the type.
    int number = code.convert(value.variable(), Kind.DOUBLE);
    double most = to instanceof LongType ? Long.MAX_VALUE : Math.scalb(1.0, 8 * size(to) - 1) - 1;
    double least = to instanceof LongType ? Long.MIN_VALUE : -most - 1;
    int floor = code.call(Intrinsic.FLOOR, Kind.DOUBLE, number);
    int ceiling = code.call(Intrinsic.CEIL, Kind.DOUBLE, number);
    int low = code.test(Condition.NOT_LE, floor, code.constant(most));
    int high = code.test(Condition.NOT_GE, ceiling, code.constant(least));
    return code.or(low, high);
  }
}
