/**
 * What {@link org.sparkgpugraph.examples.GraphJob} runs: an {@link
 * org.sparkgpugraph.examples.algorithms.Algorithm} for each of the library, here and in stock
 * GraphX, with what it reads, the settings it takes and what is said of its result. May use: {@code
 * command}.
 */
package org.sparkgpugraph.examples.algorithms;
