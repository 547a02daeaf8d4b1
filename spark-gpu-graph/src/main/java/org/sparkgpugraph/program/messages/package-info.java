/**
 * Makes a vertex program of a send and a merge function alone. Begin with {@link
 * org.sparkgpugraph.program.messages.MessageAggregation}. May use: {@code program} with {@code ir}
 * and {@code analysis}.
 */
package org.sparkgpugraph.program.messages;
