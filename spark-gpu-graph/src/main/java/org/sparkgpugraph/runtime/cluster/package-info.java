/**
 * What the driver knows of the executors, and tasks that must run where a graph is held: Spark
 * takes a preferred location for a wish, so such a task says when it was started elsewhere. Begin
 * with {@link org.sparkgpugraph.runtime.cluster.PinnedRdd} and {@link
 * org.sparkgpugraph.runtime.cluster.OwnerJob}. May use: {@code conf}, {@code serial}, and {@code
 * run}, {@code exchange} and {@code graphs.rdd} for the types of what they pass on; {@code
 * graphs.memory} for threads.
 */
package org.sparkgpugraph.runtime.cluster;
