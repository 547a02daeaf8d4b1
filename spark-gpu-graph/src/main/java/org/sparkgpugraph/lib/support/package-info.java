/**
 * What algorithms share: checks of arguments, sources and weights; random numbers by id. Begin with
 * {@link org.sparkgpugraph.lib.support.Runs}. May use: the public API.
 */
package org.sparkgpugraph.lib.support;
