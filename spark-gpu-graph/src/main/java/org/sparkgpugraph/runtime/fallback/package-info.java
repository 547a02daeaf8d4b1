/**
 * Runs programs on stock GraphX with the user's own function objects: what cannot be lifted, and
 * {@code spark.gpugraph.engine=graphx}.
 */
package org.sparkgpugraph.runtime.fallback;
