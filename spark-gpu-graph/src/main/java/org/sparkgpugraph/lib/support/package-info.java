/**
 * What algorithms share: checks of arguments, sources and weights; random numbers by id; the way
 * behind the classes that users see. Begin with {@link org.sparkgpugraph.lib.support.Runs}. May
 * use: the public API and what it stands on.
 */
package org.sparkgpugraph.lib.support;
