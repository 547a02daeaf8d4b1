/**
 * What a user gives a run beside the program, and what comes back of it beside the result: options,
 * the observer, the report and its supersteps. Begin with {@link org.sparkgpugraph.run.RunOptions}
 * and {@link org.sparkgpugraph.run.RunReport}. May use: nothing of the library.
 */
package org.sparkgpugraph.run;
