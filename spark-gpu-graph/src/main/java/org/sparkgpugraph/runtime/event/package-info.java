/**
 * What runs tell Spark's listeners and its event log. Begin with {@link
 * org.sparkgpugraph.runtime.event.GraphRunStarted}; a {@link
 * org.sparkgpugraph.runtime.event.GraphSuperstep} follows for each superstep, {@link
 * org.sparkgpugraph.runtime.event.GraphRunEnded} at the end, with one of {@link
 * org.sparkgpugraph.runtime.event.GraphRunExecutor} for each executor before it. A listener on the
 * driver gets them in {@code onOtherEvent}; the log has them as JSON objects whose {@code Event} is
 * the class name. May use: Spark, and {@code run}.
 */
package org.sparkgpugraph.runtime.event;
