package org.sparkgpugraph.benchmarks.load;

import org.sparkgpugraph.benchmarks.Shapes;
import org.sparkgpugraph.program.ValueType;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** What the edges of a graph that is loaded hold: 8 or 12 bytes of numbers in each. */
enum EdgeValues {
  NUMBERS {
    @Override
    Object of(int i) {
      return (double) i;
    }
  },
  RECORDS {
    @Override
    Object of(int i) {
      return new Shapes.Plain(i, i);
    }
  },
  CASE_CLASSES {
    @Override
    Object of(int i) {
      return new Shapes.CaseClass(i, i);
    }
  },
  /** A case class with a component that no program reads. */
  NAMED {
    @Override
    Object of(int i) {
      return new Shapes.Named("street", i, i);
    }
  },
  /** As Scala makes pairs of numbers. */
  PAIRS {
    @Override
    Object of(int i) {
      return new scala.Tuple2$mcDI$sp(i, i);
    }
  },
  /** As Java makes them, and Scala where it does not know that they are of numbers. */
  BOXED_PAIRS {
    @Override
    Object of(int i) {
      return new Tuple2<>((double) i, i);
    }
  };

  /** A value. */
  abstract Object of(int i);

  ValueType type() {
    return ValueType.like(of(1));
  }

  @SuppressWarnings("unchecked")
  ClassTag<Object> tag() {
    return (ClassTag<Object>)
        (Object) (this == NUMBERS ? ClassTag$.MODULE$.Double() : ClassTag$.MODULE$.Object());
  }
}
