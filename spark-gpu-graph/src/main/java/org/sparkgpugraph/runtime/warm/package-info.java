/**
 * What an executor does before its first run, while Spark starts and edges are read, so that the
 * run need not wait for it. Begin with {@link org.sparkgpugraph.runtime.warm.WarmUp}. May use:
 * {@code conf} to {@code run}.
 */
package org.sparkgpugraph.runtime.warm;
