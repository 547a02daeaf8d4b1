package org.sparkgpugraph.benchmarks.cluster;

import java.io.Serializable;

/**
 * A time in which a thread of one of Spark's processes did nothing, or was in a file.
 *
 * @param process Spark's id of the executor; {@code driver}
 * @param thread id of the thread in its process
 * @param name of the thread, without numbers
 * @param from when it began, in nanoseconds since 1970 by the host's clock
 * @param to when it ended
 * @param where method of Spark or of the library that it waited in, {@code idle} where a pool
 *     waited for work
 * @param bytes that were read from or written to a file; 0 for a wait
 */
record ThreadWait(
    String process, long thread, String name, long from, long to, String where, long bytes)
    implements Serializable {
  /** Whether it is the reading or writing of a file, in which the thread is at work. */
  boolean isFile() {
    return bytes > 0;
  }
}
