/**
 * What is told of runs while they go on: metrics, Spark's event log, the console, the user's
 * observer. Begin with {@link org.sparkgpugraph.runtime.observe.RunWatch}. May use: {@code conf} to
 * {@code held}.
 */
package org.sparkgpugraph.runtime.observe;
