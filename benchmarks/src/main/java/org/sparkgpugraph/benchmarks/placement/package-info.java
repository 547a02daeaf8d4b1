/**
 * An experiment without engines: how many boundary updates a graph over several executors would
 * need if vertices were placed by their neighbours instead of by ranges of ids. Begin with {@link
 * org.sparkgpugraph.benchmarks.placement.PlacementTrial}.
 */
package org.sparkgpugraph.benchmarks.placement;
