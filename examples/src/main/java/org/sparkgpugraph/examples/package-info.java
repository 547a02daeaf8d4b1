/** Jobs that run from the command line, and the comparison with stock GraphX. */
package org.sparkgpugraph.examples;
