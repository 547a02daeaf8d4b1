/**
 * What travels between driver and executors, and how it is written: records under Kryo, results of
 * tasks, the records of an exchange. Begin with {@link
 * org.sparkgpugraph.runtime.serial.RecordSerialization}. May use: {@code conf}.
 */
package org.sparkgpugraph.runtime.serial;
