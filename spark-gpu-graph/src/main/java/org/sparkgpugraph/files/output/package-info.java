/**
 * How results become files of which a failure leaves none that look complete: an output is claimed,
 * written beside its place and renamed at the end. Begin with {@link
 * org.sparkgpugraph.files.output.OutputDirectory}. May use: {@code files.input} for its errors; not
 * {@code files} itself.
 */
package org.sparkgpugraph.files.output;
