package org.sparkgpugraph.benchmarks;

import java.io.Serializable;
import java.util.Objects;
import scala.Product;
import scala.collection.Iterator;

/** Classes of a Double and an Int, in which graphs of benchmarks hold their values. */
public final class Shapes {
  private Shapes() {}

  /** As Java has it. */
  public record Plain(double number, int count) implements Serializable {}

  /** What Scala's compiler makes of {@code case class CaseClass(number: Double, count: Int)}. */
  public static final class CaseClass implements Product, Serializable {
    private static final long serialVersionUID = 1L;

    private final double number;
    private final int count;

    /** A value. */
    public CaseClass(double number, int count) {
      this.number = number;
      this.count = count;
    }

    /** A component. */
    public double number() {
      return number;
    }

    /** A component. */
    public int count() {
      return count;
    }

    @Override
    public int productArity() {
      return 2;
    }

    @Override
    public Object productElement(int n) {
      return n == 0 ? (Object) number : (Object) count;
    }

    @Override
    public boolean canEqual(Object that) {
      return that instanceof CaseClass;
    }

    @Override
    public boolean equals(Object that) {
      return that instanceof CaseClass other && number == other.number && count == other.count;
    }

    @Override
    public int hashCode() {
      return Objects.hash(number, count);
    }

    @Override
    public String productPrefix() {
      return "CaseClass";
    }

    @Override
    public Iterator<Object> productIterator() {
      return scala.runtime.ScalaRunTime$.MODULE$.typedProductIterator(this);
    }
  }

  /** What Scala's compiler makes of a case class of a name and two numbers. */
  public static final class Named implements Product, Serializable {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final double number;
    private final int count;

    /** A value. */
    public Named(String name, double number, int count) {
      this.name = name;
      this.number = number;
      this.count = count;
    }

    /** A component. */
    public String name() {
      return name;
    }

    /** A component. */
    public double number() {
      return number;
    }

    /** A component. */
    public int count() {
      return count;
    }

    @Override
    public int productArity() {
      return 3;
    }

    @Override
    public Object productElement(int n) {
      return n == 0 ? name : n == 1 ? (Object) number : (Object) count;
    }

    @Override
    public boolean canEqual(Object that) {
      return that instanceof Named;
    }

    @Override
    public boolean equals(Object that) {
      return that instanceof Named other
          && name.equals(other.name)
          && number == other.number
          && count == other.count;
    }

    @Override
    public int hashCode() {
      return Objects.hash(name, number, count);
    }

    @Override
    public String productPrefix() {
      return "Named";
    }

    @Override
    public Iterator<Object> productIterator() {
      return scala.runtime.ScalaRunTime$.MODULE$.typedProductIterator(this);
    }
  }
}
