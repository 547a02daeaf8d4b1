package org.sparkgpugraph.frame.pregel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Lowers trees of Catalyst's, which Spark has resolved (so that types fit and casts stand where
 * they are needed), to code. Which classes can be lowered stands in the tables of rules.
 */
final class ExpressionLowering {
  /** Lowers the trees of a class. */
  interface Rule {
    Cell lower(ExpressionLowering lowering, Expression tree);
  }

  private static final Map<Class<?>, Rule> RULES = new HashMap<>();

  static {
    ArithmeticRules.addTo(RULES);
    ComparisonRules.addTo(RULES);
    ConditionalRules.addTo(RULES);
    MathRules.addTo(RULES);
    CastRules.addTo(RULES);
  }

  private final CodeWriter code;
  private final Function<Expression, Cell> known;

  /**
   * @param known what columns, and perhaps other trees, are in the code; null for what is to be
   *     lowered
   */
  ExpressionLowering(CodeWriter code, Function<Expression, Cell> known) {
    this.code = code;
    this.known = known;
  }

  /** The same, where something more is known. */
  ExpressionLowering knowing(Function<Expression, Cell> more) {
    return new ExpressionLowering(
        code,
        tree -> {
          Cell cell = more.apply(tree);
          return cell == null ? known.apply(tree) : cell;
        });
  }

  CodeWriter code() {
    return code;
  }

  /**
   * Lowers a tree.
   *
   * @throws UnliftableException when a part of it has no place in a program
   */
  Cell lower(Expression tree) {
    Cell cell = lowered(Trees.plain(tree));
    if (cell instanceof Cell.Absent absent) {
      throw new UnliftableException("reads " + tree.sql() + ": " + absent.why());
    }
    return cell;
  }

  private Cell lowered(Expression plain) {
    Cell cell = known.apply(plain);
    if (cell != null) {
      return cell;
    } else if (plain instanceof AttributeReference) {
      throw new UnliftableException("reads " + plain.sql() + ", which is no column here");
    } else if (plain instanceof Literal literal) {
      return constant(literal.value(), literal.dataType());
    } else if (plain.foldable() && !(plain.dataType() instanceof StructType)) {
      return folded(plain);
    }
    if (Trees.hasDefinitions(plain)) {
      return withDefinitions(plain);
    }
    Rule rule = RULES.get(plain.getClass());
    if (rule == null) {
      throw new UnliftableException(
          "uses " + name(plain) + " in " + plain.sql() + ", which no kernel is made of");
    }
    return rule.lower(this, plain);
  }

  /** What a tree refers to several times is written each time; equal code is joined later. */
  private Cell withDefinitions(Expression tree) {
    List<Expression> parts = Trees.children(tree);
    Map<Object, Expression> definitions = new HashMap<>();
    for (Expression definition : parts.subList(1, parts.size())) {
      definitions.put(Trees.id(definition), Trees.child(definition, 0));
    }
    return knowing(
            part -> {
              Expression meant = Trees.isReference(part) ? definitions.get(Trees.id(part)) : null;
              return meant == null ? null : lower(meant);
            })
        .lower(parts.get(0));
  }

  private static String name(Expression tree) {
    return tree.prettyName() + (tree.children().isEmpty() ? "" : "(…)");
  }

  /** What Spark computes once, as in an error that it would have for every row. */
  private Cell folded(Expression tree) {
    Object value;
    try {
      value = tree.eval(null);
    } catch (RuntimeException e) {
      throw new UnliftableException("computes " + tree.sql() + ", which fails: " + e.getMessage());
    }
    return constant(value, tree.dataType());
  }

  private Cell constant(Object value, DataType type) {
    if (value == null) {
      return Cells.none(code, type);
    }
    if (Layout.kind(type) == null) {
      throw new UnliftableException(
          "uses the constant " + value + " of type " + type.simpleString());
    }
    Object number =
        value instanceof Boolean truth
            ? (Object) (truth ? 1 : 0)
            : value instanceof Byte || value instanceof Short
                ? (Object) ((Number) value).intValue()
                : value;
    return new Cell.Scalar(Layout.kind(type), code.constant(number), Cell.ALWAYS);
  }

  /** A number or truth value. */
  Cell.Scalar scalar(Expression tree) {
    if (lower(tree) instanceof Cell.Scalar scalar) {
      return scalar;
    }
    throw new UnliftableException(
        "computes with " + tree.sql() + " of type " + tree.dataType().simpleString());
  }

  List<Cell.Scalar> scalars(Expression tree) {
    List<Cell.Scalar> scalars = new ArrayList<>();
    Trees.children(tree).forEach(child -> scalars.add(scalar(child)));
    return scalars;
  }

  /** Where all cells are valid. */
  int valid(List<? extends Cell> cells) {
    int valid = Cell.ALWAYS;
    for (Cell cell : cells) {
      valid = code.both(valid, cell.valid());
    }
    return valid;
  }

  /**
   * A value that may fail, computed where its operands are there.
   *
   * @param kind of the value
   */
  Cell.Scalar where(int valid, Kind kind, IntSupplier value) {
    if (valid == Cell.ALWAYS) {
      return new Cell.Scalar(kind, value.getAsInt(), valid);
    }
    int variable =
        code.branch(
                code.flag(valid),
                () -> List.of(value.getAsInt()),
                () -> List.of(code.constant(kind, 0)))
            .get(0);
    return new Cell.Scalar(kind, variable, valid);
  }
}
