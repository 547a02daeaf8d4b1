/**
 * From files to edge and vertex blocks: which files there are, what they are packed with, where
 * splits begin, how a line or a row is read, and what is said of one that cannot be. Begin with
 * {@link org.sparkgpugraph.files.input.EdgeTextReader}. May use: {@code graphs}, {@code program}
 * and Spark; not {@code files} itself.
 */
package org.sparkgpugraph.files.input;
