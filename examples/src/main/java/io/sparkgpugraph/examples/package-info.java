/** Jobs that run from the command line, and the comparison with stock GraphX. */
package io.sparkgpugraph.examples;
