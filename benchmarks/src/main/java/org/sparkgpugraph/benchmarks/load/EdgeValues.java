package org.sparkgpugraph.benchmarks.load;

import java.io.Serializable;
import java.util.Objects;
import org.sparkgpugraph.program.ValueType;
import scala.Product;
import scala.Tuple2;
import scala.collection.Iterator;
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
      return new Record(i, i);
    }
  },
  CASE_CLASSES {
    @Override
    Object of(int i) {
      return new Road(i, i);
    }
  },
  /** A case class with a component that no program reads. */
  NAMED {
    @Override
    Object of(int i) {
      return new Street("street", i, i);
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

  record Record(double length, int toll) implements Serializable {}

  /** What Scala's compiler makes of {@code case class Road(length: Double, toll: Int)}. */
  static final class Road implements Product, Serializable {
    private static final long serialVersionUID = 1L;

    private final double length;
    private final int toll;

    Road(double length, int toll) {
      this.length = length;
      this.toll = toll;
    }

    @Override
    public int productArity() {
      return 2;
    }

    @Override
    public Object productElement(int n) {
      return n == 0 ? (Object) length : (Object) toll;
    }

    @Override
    public boolean canEqual(Object that) {
      return that instanceof Road;
    }

    @Override
    public boolean equals(Object that) {
      return that instanceof Road road && length == road.length && toll == road.toll;
    }

    @Override
    public int hashCode() {
      return Objects.hash(length, toll);
    }

    @Override
    public String productPrefix() {
      return "Road";
    }

    @Override
    public Iterator<Object> productIterator() {
      return scala.runtime.ScalaRunTime$.MODULE$.typedProductIterator(this);
    }
  }

  /** What Scala's compiler makes of a case class of a name and two numbers. */
  static final class Street implements Product, Serializable {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final double length;
    private final int toll;

    Street(String name, double length, int toll) {
      this.name = name;
      this.length = length;
      this.toll = toll;
    }

    @Override
    public int productArity() {
      return 3;
    }

    @Override
    public Object productElement(int n) {
      return n == 0 ? name : n == 1 ? (Object) length : (Object) toll;
    }

    @Override
    public boolean canEqual(Object that) {
      return that instanceof Street;
    }

    @Override
    public boolean equals(Object that) {
      return that instanceof Street street
          && name.equals(street.name)
          && length == street.length
          && toll == street.toll;
    }

    @Override
    public int hashCode() {
      return Objects.hash(name, length, toll);
    }

    @Override
    public String productPrefix() {
      return "Street";
    }

    @Override
    public Iterator<Object> productIterator() {
      return scala.runtime.ScalaRunTime$.MODULE$.typedProductIterator(this);
    }
  }
}
