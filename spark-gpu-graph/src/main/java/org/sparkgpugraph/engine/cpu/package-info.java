/** The CPU engine: generated gather and apply loops over primitive columns, on all cores. */
package org.sparkgpugraph.engine.cpu;
