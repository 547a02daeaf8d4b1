/**
 * Jobs that run from the command line. Read {@link org.sparkgpugraph.examples.RankVertices} and its
 * like first: each is one small class that shows a part of the library. {@link
 * org.sparkgpugraph.examples.GraphJob} is the job for graphs in files; its algorithms are in {@code
 * algorithms}, what every command line has is in {@code command}. The benchmarks beside stock
 * GraphX use both, too.
 */
package org.sparkgpugraph.examples;
