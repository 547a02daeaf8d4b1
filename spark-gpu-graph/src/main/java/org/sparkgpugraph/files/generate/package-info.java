/**
 * Graphs made by a rule, the same on every machine: R-MAT and lattices. Begin with {@link
 * org.sparkgpugraph.files.generate.GeneratedGraph}. May use: {@code files.input} for its blocks.
 */
package org.sparkgpugraph.files.generate;
