/**
 * Who tells whom where the parts of a graph tell each other's hubs partial messages: partial rows
 * where edges to hubs come from, slots where they go. Begin with {@link
 * org.sparkgpugraph.graphs.hub.HubLayout}. May use: {@code memory}, {@code model}.
 */
package org.sparkgpugraph.graphs.hub;
