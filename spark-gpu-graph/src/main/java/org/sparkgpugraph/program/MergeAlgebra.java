package org.sparkgpugraph.program;

import java.io.Serializable;
import org.sparkgpugraph.program.ir.Kind;

/**
 * What the merge function does to one message column, recognised from its code. A column is only
 * ever given an algebra other than GENERAL when every column is merged independently of the others.
 */
public enum MergeAlgebra implements Serializable {
  MIN,
  MAX,
  /** The smaller real number, where NaN is the largest ({@code Intrinsic.LEAST}). */
  LEAST,
  SUM,
  OR,
  AND,
  /** Keeps one of the two, whichever comes first. */
  FIRST,
  /** The most frequent of all messages ({@link WholeMerge#MODE}): no function of two. */
  MODE,
  /** Anything else: an associative and commutative function without a known identity. */
  GENERAL;

  /**
   * Whether an atomic operation does it, and it does not matter how often a message is merged: so
   * vertices may push messages. No atomic operation knows the order of {@link #LEAST}.
   */
  public boolean isPushable() {
    return this == MIN || this == MAX || this == OR || this == AND;
  }

  /**
   * Whether values are numbers of which the least or the largest wins, and an atomic operation does
   * it: so programs in place may be relaxed in order of priority.
   */
  public boolean isOrdered() {
    return this == MIN || this == MAX;
  }

  /**
   * The value that leaves the other operand unchanged, as a box of {@code kind}.
   *
   * @return the identity, or null when there is none (FIRST, MODE, GENERAL); a floating SUM has
   *     −0.0
   */
  public Object identity(Kind kind) {
    return switch (this) {
      case MIN ->
          switch (kind) {
            case BOOLEAN -> true;
            case INT -> Integer.MAX_VALUE;
            case LONG -> Long.MAX_VALUE;
            case FLOAT -> Float.POSITIVE_INFINITY;
            case DOUBLE -> Double.POSITIVE_INFINITY;
          };
      case MAX ->
          switch (kind) {
            case BOOLEAN -> false;
            case INT -> Integer.MIN_VALUE;
            case LONG -> Long.MIN_VALUE;
            case FLOAT -> Float.NEGATIVE_INFINITY;
            case DOUBLE -> Double.NEGATIVE_INFINITY;
          };
      case LEAST ->
          switch (kind) {
            case BOOLEAN, INT, LONG -> null;
            case FLOAT -> Float.NaN;
            case DOUBLE -> Double.NaN;
          };
      case SUM ->
          switch (kind) {
            case BOOLEAN -> null;
            case INT -> 0;
            case LONG -> 0L;
            case FLOAT -> -0.0f;
            case DOUBLE -> -0.0;
          };
      case OR ->
          switch (kind) {
            case BOOLEAN -> false;
            case INT -> 0;
            case LONG -> 0L;
            case FLOAT, DOUBLE -> null;
          };
      case AND ->
          switch (kind) {
            case BOOLEAN -> true;
            case INT -> -1;
            case LONG -> -1L;
            case FLOAT, DOUBLE -> null;
          };
      case FIRST, MODE, GENERAL -> null;
    };
  }
}
