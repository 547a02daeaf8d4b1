/**
 * What algorithms share: checks of arguments, sources and weights; random numbers by id. May use:
 * the public API.
 */
package org.sparkgpugraph.lib.support;
