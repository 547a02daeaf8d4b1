/**
 * Fuses sending and merging of messages that are arrays, so that no array of a message is made.
 * Begin with {@link org.sparkgpugraph.program.fuse.FusedGather}.
 *
 * <p>{@link org.sparkgpugraph.program.fuse.ElementMessages} has the send function deliver elements
 * where it had set them in an array; {@link org.sparkgpugraph.program.fuse.ElementMerge} takes a
 * merge function to pieces, one for each array and one for the numbers, that may be done when an
 * element comes. The operations on an element and the order of messages stay, so results are the
 * same to the bit. May use: {@code program}, {@code program.ir}, {@code program.lanes}.
 */
package org.sparkgpugraph.program.fuse;
