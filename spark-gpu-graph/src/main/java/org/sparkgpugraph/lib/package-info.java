/**
 * Graph algorithms as vertex programs: {@code org.apache.spark.graphx.lib}, signature by signature,
 * and what GraphX lacks.
 */
package org.sparkgpugraph.lib;
