/**
 * What runs tell Spark's listeners and its event log: {@link GraphRunStarted}, a {@link
 * GraphSuperstep} for each superstep, {@link GraphRunEnded}. A listener on the driver gets them in
 * {@code onOtherEvent}; the log has them as JSON objects whose {@code Event} is the class name.
 */
package org.sparkgpugraph.runtime.event;
