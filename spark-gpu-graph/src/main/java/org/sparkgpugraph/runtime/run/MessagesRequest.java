package org.sparkgpugraph.runtime.run;

import org.sparkgpugraph.run.RunOptions;

/**
 * An {@code aggregateMessages} as the user asks for it.
 *
 * @param send the user's own: a SendMessage, or a scala.Function1 of GraphX's EdgeContext
 * @param merge the user's own: a MergeMessage, or a scala.Function2
 * @param readsSource whether {@code send} may read the source's attribute
 * @param readsDestination whether {@code send} may read the destination's attribute
 */
public record MessagesRequest(
    Object send, Object merge, boolean readsSource, boolean readsDestination, RunOptions options) {}
