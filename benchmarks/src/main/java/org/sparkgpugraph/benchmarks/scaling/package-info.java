/** The tables of docs/scaling.md: a model of many executors, nothing is run. */
package org.sparkgpugraph.benchmarks.scaling;
