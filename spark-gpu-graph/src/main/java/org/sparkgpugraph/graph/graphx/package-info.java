/**
 * Reading GraphX's columnar structures, and building GraphX graphs from results. The only package
 * that knows GraphX's internals.
 */
package org.sparkgpugraph.graph.graphx;
