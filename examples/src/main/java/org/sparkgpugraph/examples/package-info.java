/**
 * Jobs that run from the command line. Read {@link org.sparkgpugraph.examples.RankVertices} and its
 * like first: each is one small class that shows a part of the library. {@link
 * org.sparkgpugraph.examples.GraphJob} is the job for graphs in files: an {@link
 * org.sparkgpugraph.examples.Algorithm} for each algorithm of the library, the rest is its command
 * line, which the benchmarks beside stock GraphX use, too.
 */
package org.sparkgpugraph.examples;
