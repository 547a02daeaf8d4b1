/**
 * The calls of GraphX's library that transparent mode takes over, from Scala's types to those of
 * {@code lib}. Begin with {@link org.sparkgpugraph.lib.transparent.GraphXLibrary}. May use: {@code
 * lib} and {@code runtime.transparent}.
 */
package org.sparkgpugraph.lib.transparent;
