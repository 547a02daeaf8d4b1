/**
 * Arrays and what works on them: tables of columns, bitmaps, sets and sorts of ids, the threads of
 * a build. Begin with {@link org.sparkgpugraph.graphs.memory.Columns}. May use: nothing else of the
 * graph.
 */
package org.sparkgpugraph.graphs.memory;
