package org.sparkgpugraph.algorithm.support;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.sparkgpugraph.runtime.serial.RecordSerializer;

/**
 * What an item says to a vertex that it wants for itself alone: how irregular algorithms are
 * written in which neighbours must not act at the same time (Pai and Pingali: A compiler for
 * throughput optimization of graph algorithms on GPUs, OOPSLA 2016, Table 3: {@code Exclusive} and
 * {@code Retry} of IrGL).
 *
 * <p>A round has three parts:
 *
 * <ol>
 *   <li><em>propose</em>: every item that has work sends its claim to all that it touches, where
 *       the {@linkplain #first first} one is kept. {@code first} is the edge map's merge, so a
 *       vertex ends up with the claim that owns it;
 *   <li><em>win</em>: an item acts if its claim owns all that it touches. Claims are in a strict
 *       order, so the first of all that are left always wins, and of two that touch the same vertex
 *       one loses: there are no locks, and nobody waits for ever;
 *   <li><em>commit</em>: winners write what they touch. Losers still have work, and so propose
 *       again in the next round (retry).
 * </ol>
 *
 * <p>The loop ends when no item has work ({@link org.sparkgpugraph.GraphSteps#repeatWhile}). What
 * comes out is what the items would do one after the other in the order of their claims, and so the
 * same whatever engine runs them, with any number of partitions and executors. With priorities that
 * are {@linkplain #drawn drawn} the rounds are few: neighbours that lose in one round rarely meet
 * again, which is what IrGL's backoff is for.
 *
 * <p>An item is an edge or a vertex. All of this is liftable.
 *
 * @param priority the smaller one comes first; less than {@link Long#MAX_VALUE}
 * @param low the smaller end of the edge, or the vertex: decides between equal priorities
 * @param high the larger end of the edge, or the vertex
 */
@DefaultSerializer(RecordSerializer.class)
public record Claim(long priority, long low, long high) implements Serializable {
  /** Nobody's: it comes behind all others. */
  public static final Claim NONE = new Claim(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

  /** A priority that looks random, for an id and a seed, from 0 to 2^62 − 1. */
  public static long drawn(long id, long seed) {
    return Mixing.mix(id, seed) >>> 2;
  }

  /** The same for an edge, whichever way it goes. */
  public static long drawn(long one, long other, long seed) {
    return Mixing.mix(Math.max(one, other), Mixing.mix(Math.min(one, other), seed)) >>> 2;
  }

  /** A priority for a finite number: smaller numbers come first, 0.0 and −0.0 are one. */
  public static long ascending(double number) {
    // Bits of negative numbers ascend the other way.
    long bits = Double.doubleToRawLongBits(number + 0.0);
    return bits >= 0 ? bits : bits ^ Long.MAX_VALUE;
  }

  /** The number that has such a priority. */
  public static double number(long ascending) {
    return Double.longBitsToDouble(ascending >= 0 ? ascending : ascending ^ Long.MAX_VALUE);
  }

  /** The claim of an edge, whichever way it goes. */
  public static Claim ofEdge(long priority, long one, long other) {
    return new Claim(priority, Math.min(one, other), Math.max(one, other));
  }

  /** The claim of a vertex. */
  public static Claim ofVertex(long priority, long id) {
    return new Claim(priority, id, id);
  }

  /** Whether this is {@link #NONE}. */
  public boolean isNone() {
    return priority == Long.MAX_VALUE;
  }

  /** Whether this one wins against another. */
  public boolean before(Claim other) {
    if (priority != other.priority) {
      return priority < other.priority;
    }
    return low != other.low ? low < other.low : high < other.high;
  }

  /** The one that wins. */
  public Claim first(Claim other) {
    return other.before(this) ? other : this;
  }

  /** Whether this is the claim of the edge between two vertices. */
  public boolean isOf(long one, long other) {
    return !isNone() && low == Math.min(one, other) && high == Math.max(one, other);
  }

  /** The end of the claiming edge that is not this one. */
  public long otherEnd(long id) {
    return low == id ? high : low;
  }
}
