package org.sparkgpugraph.runtime.run;

import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.load.HeldBlocks;
import org.sparkgpugraph.runtime.serial.ValueClasses;
import scala.reflect.ClassTag;

/**
 * What a {@link ResultCollector} makes something of.
 *
 * @param input of the run
 * @param blocks the values, with the executors until they are collected
 * @param graph as executors hold it
 * @param loader that knows the classes of what ran
 */
public record CollectedResult(
    JobInput input, HeldBlocks blocks, GraphHandle graph, ClassLoader loader) {
  /** Of the result's values. */
  public <T> ClassTag<T> tag() {
    return tag(blocks.type());
  }

  /** Of values of a type. */
  public <T> ClassTag<T> tag(ValueType type) {
    return ValueClasses.tag(type, loader);
  }
}
