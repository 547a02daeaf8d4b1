/**
 * What partitions tell each other between supersteps: refined boundary updates, collected from
 * bitmaps at home and applied to the ghosts of the reader.
 */
package org.sparkgpugraph.exchange;
