/**
 * GraphX, and nothing that works without it: {@code data} (GraphX's structures, read and made),
 * {@code fallback} (programs on stock GraphX), {@code run} (runs between GraphX graphs), {@code
 * transparent} (unchanged GraphX jars). Together with {@code GpuPregel}, {@code PregelBuilder},
 * {@code GpuMessages}, {@code Components} and {@code Neighborhoods} of the root package, {@code
 * lib}, {@code scaladsl} and {@code implicits} these are all classes that need GraphX's jar; none
 * of the others uses one of them.
 */
package org.sparkgpugraph.adapter;
