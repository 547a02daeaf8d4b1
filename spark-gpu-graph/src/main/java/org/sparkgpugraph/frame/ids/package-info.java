/**
 * The different ids that edges name, where ids are strings or bytes: a table beside the edges, made
 * without a row per id. Begin with {@link org.sparkgpugraph.frame.ids.EdgeIds}. May use: what is
 * below frame.
 */
package org.sparkgpugraph.frame.ids;
