package org.sparkgpugraph.run;

import java.io.Serializable;

/**
 * What a run, and the part of the graph that it ran on, took of an executor's memory.
 *
 * @param executor its id, and its host; empty without Spark
 * @param heap its heap
 * @param edges where the edges of its part of the graph are
 * @param offHeapLimit bytes outside of the heap that all graphs of the executor may take for edges,
 *     as Spark was told of them; what is in mapped files is not among them
 * @param diskFree bytes that were free, at the end of the run, in that of Spark's local directories
 *     which had most: what further files may take
 */
public record ExecutorMemory(
    String executor, HeapUse heap, EdgeBytes edges, long offHeapLimit, long diskFree)
    implements Serializable {}
