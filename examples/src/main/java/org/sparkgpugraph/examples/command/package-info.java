/**
 * What every command line here has, whatever it computes: options and their values, the frame that
 * runs a job and tells how it failed, the session it runs in. Begin with {@link
 * org.sparkgpugraph.examples.command.JobRunner}. May use: nothing else of the examples.
 */
package org.sparkgpugraph.examples.command;
