/**
 * What algorithms share that run on GraphX graphs. Begin with {@link
 * org.sparkgpugraph.lib.support.GraphRuns}. May use: {@code algorithm}, GraphX's part of the root
 * package, and what these stand on.
 */
package org.sparkgpugraph.lib.support;
