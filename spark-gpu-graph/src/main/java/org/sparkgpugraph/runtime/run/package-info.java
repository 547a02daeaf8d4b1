/**
 * Runs of vertex programs and operators, from the request to the result. Begin with {@link
 * org.sparkgpugraph.runtime.run.PregelJob}, then {@link org.sparkgpugraph.runtime.run.Execution}.
 * May use: all of the runtime.
 */
package org.sparkgpugraph.runtime.run;
