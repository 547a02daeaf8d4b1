/**
 * Who sends whom partial messages where the parts of a graph send each other's hubs some: partial
 * rows where edges to hubs come from, slots where they go. Begin with {@link
 * org.sparkgpugraph.graphs.hub.HubLayout}. May use: {@code memory}, {@code model}.
 */
package org.sparkgpugraph.graphs.hub;
