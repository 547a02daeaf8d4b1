/** The oracle of the tests: a sequential Pregel, random graphs and programs, one shared Spark. */
package org.sparkgpugraph.testing;
