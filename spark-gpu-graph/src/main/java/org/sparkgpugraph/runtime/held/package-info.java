/**
 * What an executor's process keeps between tasks: graphs, values, results, and the memory that they
 * may take. Begin with {@link org.sparkgpugraph.runtime.held.ExecutorRegistry}. May use: {@code
 * conf} to {@code device}.
 */
package org.sparkgpugraph.runtime.held;
