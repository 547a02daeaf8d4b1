package org.sparkgpugraph.program.lanes;

import java.util.List;
import java.util.Set;
import org.sparkgpugraph.program.ir.Kind;

/**
 * What a loop over the elements hands from round to round, where lanes that take some rounds each
 * can put together what they have.
 */
public sealed interface Reduction {

  /** The operations that the terms of a {@link Fold} are joined by, in any order. */
  enum Operator {
    SUM,
    PRODUCT,
    AND,
    OR,
    XOR,
    MIN,
    MAX,
    LEAST;

    /** Whether a term that is joined twice changes nothing. */
    public boolean isIdempotent() {
      return this != SUM && this != PRODUCT && this != XOR;
    }

    /**
     * What a lane begins with where terms must not be joined twice: it changes no other. Of
     * floating-point sums it is −0.0, since 0.0 would make 0.0 of −0.0.
     *
     * @return a box of the kind
     */
    public Object identity(Kind kind) {
      boolean sum = this == SUM;
      return switch (kind) {
        case BOOLEAN, INT -> this == PRODUCT ? 1 : 0;
        case LONG -> this == PRODUCT ? 1L : 0L;
        case FLOAT -> sum ? -0.0f : 1.0f;
        case DOUBLE -> sum ? -0.0 : 1.0;
      };
    }
  }

  /** {@code variable = variable op term}, in some rounds or all. */
  record Fold(int variable, Operator operator) implements Reduction {}

  /** {@code variable = constant} in some rounds, whichever those are. */
  record Flag(int variable, Object constant) implements Reduction {}

  /**
   * All of some variables are set in some rounds. Without a key the last such round counts. With
   * one it does where the key's new value is to replace the one before: the order of the two
   * decides that alone.
   *
   * @param variables those that are set
   * @param key one of them; −1: none
   * @param replaces for which orders of new and old key the new one replaces the old one, a bit for
   *     each {@link Order}
   * @param sets the instructions, copies, that set the first variable
   */
  record Selection(List<Integer> variables, int key, int replaces, Set<Integer> sets)
      implements Reduction {
    public Selection {
      variables = List.copyOf(variables);
      sets = Set.copyOf(sets);
    }
  }

  /** How a new key stands to an old one. */
  enum Order {
    LESS,
    EQUAL,
    GREATER,
    /** The new one alone is NaN. */
    NEW_IS_NAN,
    OLD_IS_NAN,
    BOTH_ARE_NAN;

    static final int INTEGERS = 0b111;
    static final int ALL = 0b111111;

    /** Its bit in a set of them. */
    public int bit() {
      return 1 << ordinal();
    }
  }
}
