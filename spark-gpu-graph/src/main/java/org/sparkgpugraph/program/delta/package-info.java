/**
 * Makes a program change-driven: edges send differences of what their senders last told. Begin with
 * {@link org.sparkgpugraph.program.delta.Deltas}.
 *
 * <p>A vertex keeps, in hidden columns behind the user's value, the sum of all that it was ever
 * sent, and what it told its neighbours last and before that ({@link
 * org.sparkgpugraph.program.delta.DeltaColumns}). {@link
 * org.sparkgpugraph.program.delta.DeltaVertex} and {@link
 * org.sparkgpugraph.program.delta.DeltaSend} write the functions anew; engines need nothing for it.
 * After ONYX (change-driven aggregation), with what was last <em>told</em> in the place of the last
 * value, so that small changes add up until they are worth telling. May use: {@code program},
 * {@code program.analysis}, {@code program.ir}.
 */
package org.sparkgpugraph.program.delta;
