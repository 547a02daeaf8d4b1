package org.sparkgpugraph.program.analysis;

import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Side;

/**
 * What is proved of a program that spreads residuals (McSherry, A uniform approach to accelerated
 * PageRank computation, 2005; in GraphX's form {@code PageRank.runUntilConvergence}): a message is
 * what its sender's value grew by, times what never changes; messages are added up; a vertex adds a
 * constant multiple of what it gets to its value, and says that on where it is larger than a
 * tolerance. Then several messages that are added one after the other make the same value as their
 * sum, but for rounding, and it does not matter when.
 *
 * @param value the state column that grows
 * @param delta the state column of what it grew by last, which is what is sent
 * @param kind FLOAT or DOUBLE, of both columns and the message
 * @param rounded whether the delta is the difference of the values, not the increment itself
 * @param absolute whether the size of a delta counts, not only one that is positive
 * @param receivers who gets messages; senders are the other end
 * @param capture which captured number is the tolerance; −1: it is a constant
 * @param constant that one
 */
public record Residuals(
    int value,
    int delta,
    Kind kind,
    boolean rounded,
    boolean absolute,
    Side receivers,
    int capture,
    Object constant) {}
