/**
 * What runs a program on an executor graph, superstep by superstep, whichever engine does it:
 * {@link org.sparkgpugraph.engine.cpu}, {@link org.sparkgpugraph.engine.device}.
 *
 * <p>Begin with {@link org.sparkgpugraph.engine.Engine} and {@link
 * org.sparkgpugraph.engine.SuperstepLoop}. May use: {@code function}, {@code program} with {@code
 * ir} and {@code analysis}, {@code run}, {@code graphs}, {@code exchange}; neither Spark nor
 * algorithms.
 */
package org.sparkgpugraph.engine;
