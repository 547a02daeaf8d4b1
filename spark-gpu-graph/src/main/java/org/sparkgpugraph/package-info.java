/**
 * What users call: vertex programs in GraphX's shape on the executors' GPUs, or on all their cores.
 * Begin with {@link org.sparkgpugraph.GpuPregel}; the algorithms are in {@link
 * org.sparkgpugraph.lib}, loaders and writers in {@link org.sparkgpugraph.files}, the functions of
 * a program in {@link org.sparkgpugraph.function}. All else is internal.
 */
package org.sparkgpugraph;
