/**
 * What a job takes that is submitted once: every run has a JVM of its own. {@code ColdStarts}
 * starts them, {@code ColdStart} is one, {@code SavedGraph} keeps the graph that all of them run
 * on.
 */
package org.sparkgpugraph.benchmarks.cold;
