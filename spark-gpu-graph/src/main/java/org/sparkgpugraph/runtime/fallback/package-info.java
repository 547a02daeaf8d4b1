/**
 * Runs programs on stock GraphX with the user's own function objects: what cannot be lifted, and
 * {@code spark.gpugraph.engine=graphx}. Begin with {@link
 * org.sparkgpugraph.runtime.fallback.GraphxFallback}. May use: {@code cluster}, {@code
 * program.lift}, {@code engine}, and GraphX.
 */
package org.sparkgpugraph.runtime.fallback;
