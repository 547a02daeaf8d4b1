/**
 * Runs programs on stock GraphX with the user's own function objects: what cannot be lifted, and
 * {@code spark.gpugraph.engine=graphx}. Begin with {@link
 * org.sparkgpugraph.adapter.fallback.GraphxFallback}. May use: {@code adapter.data}, the runtime,
 * and GraphX.
 */
package org.sparkgpugraph.adapter.fallback;
