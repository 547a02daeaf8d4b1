/**
 * Runs of vertex programs and operators, from the request to the result. Begin with {@link
 * org.sparkgpugraph.runtime.run.PregelJob}, then {@link org.sparkgpugraph.runtime.run.Execution},
 * which runs {@link org.sparkgpugraph.runtime.run.DistributedRun} over several executors and {@link
 * org.sparkgpugraph.runtime.run.OneTaskRun} where one holds the graph. May use: all of the runtime.
 */
package org.sparkgpugraph.runtime.run;
