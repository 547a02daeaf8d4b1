package org.sparkgpugraph.frame.pregel;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable;

/** Reads Catalyst's trees, in the way that all lines of Spark have. */
final class Trees {
  private static final String EXPRESSIONS = "org.apache.spark.sql.catalyst.expressions.";

  private Trees() {}

  /** A Scala sequence as a list. */
  static <T> List<T> list(scala.collection.Iterable<? extends T> sequence) {
    List<T> list = new ArrayList<>();
    scala.collection.Iterator<? extends T> all = sequence.iterator();
    while (all.hasNext()) {
      list.add(all.next());
    }
    return list;
  }

  static List<Expression> children(Expression tree) {
    return list(tree.children());
  }

  static Expression child(Expression tree, int index) {
    return children(tree).get(index);
  }

  /** What stands behind names, and behind functions that others stand for. */
  static Expression plain(Expression tree) {
    Expression plain = tree;
    while (true) {
      if (plain instanceof Alias alias) {
        plain = alias.child();
      } else if (plain instanceof RuntimeReplaceable replaced) {
        plain = replaced.replacement();
      } else {
        return plain;
      }
    }
  }

  /** Visits a tree and all below it. */
  static void visit(Expression tree, Consumer<Expression> visitor) {
    Expression plain = plain(tree);
    visitor.accept(plain);
    children(plain).forEach(child -> visit(child, visitor));
  }

  /**
   * Whether a tree begins with definitions of what it refers to: Spark 4's With, a class that 3.5
   * does not have.
   */
  static boolean hasDefinitions(Expression tree) {
    return tree.getClass().getName().equals(EXPRESSIONS + "With");
  }

  /** Whether it refers to such a definition. */
  static boolean isReference(Expression tree) {
    return tree.getClass().getName().equals(EXPRESSIONS + "CommonExpressionRef");
  }

  /** What a definition, or a reference to it, is known by. */
  static Object id(Expression tree) {
    try {
      return call(tree, "id");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("reading " + tree.sql(), e);
    }
  }

  /** What arithmetic does with a result that its type has no room for. */
  enum OnError {
    /** Wraps or, where there is no result at all, gives null. */
    LEGACY,
    /** Stops with an error. */
    ANSI,
    /** Gives null. */
    TRY
  }

  /**
   * What an expression does on errors. Spark 3.5 and 4.0 say it by {@code evalMode}, 4.1 by {@code
   * evalContext}, and expressions of one operand by {@code failOnError}.
   */
  static OnError onError(Expression tree) {
    try {
      Object mode = call(tree, "evalMode");
      if (mode == null) {
        Object context = call(tree, "evalContext");
        mode = context == null ? null : call(context, "evalMode");
      }
      if (mode != null) {
        return OnError.valueOf(mode.toString());
      }
      return Boolean.TRUE.equals(call(tree, "failOnError")) ? OnError.ANSI : OnError.LEGACY;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("reading " + tree.sql(), e);
    }
  }

  private static Object call(Object object, String name) throws ReflectiveOperationException {
    try {
      return object.getClass().getMethod(name).invoke(object);
    } catch (NoSuchMethodException e) {
      return null;
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
