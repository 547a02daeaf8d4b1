/**
 * Runs whose input and result are GraphX graphs, around those of {@code runtime.run}; what the
 * Scala API calls. Begin with {@link org.sparkgpugraph.adapter.run.GraphXSource}, then {@link
 * org.sparkgpugraph.adapter.run.GraphXPregel}. May use: {@code adapter.data}, {@code
 * adapter.fallback}, all of the runtime, and GraphX.
 */
package org.sparkgpugraph.adapter.run;
