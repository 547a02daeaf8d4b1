/**
 * What partitions tell each other between supersteps: refined boundary updates, collected from
 * bitmaps at home and applied to the ghosts of the reader. Begin with {@link
 * org.sparkgpugraph.exchange.RefinedUpdates}, then {@link org.sparkgpugraph.exchange.UpdateCodec}
 * for what travels between executors, and {@link org.sparkgpugraph.exchange.LastSent} for which
 * elements of arrays do. May use: {@code graphs}, and {@code program.ir} for the kinds of columns.
 */
package org.sparkgpugraph.exchange;
