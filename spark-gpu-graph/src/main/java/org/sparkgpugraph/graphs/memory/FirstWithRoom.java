package org.sparkgpugraph.graphs.memory;

import org.sparkgpugraph.program.ir.Kind;

/**
 * Two homes of arrays, the second for what the first has no room for.
 *
 * @param first asked first
 * @param second asked where the first has not so much
 */
public record FirstWithRoom(EdgeMemory first, EdgeMemory second) implements EdgeMemory {
  @Override
  public OffHeapArray allocate(Kind kind, int length) {
    OffHeapArray array = first.tryAllocate(kind, length);
    return array == null ? second.allocate(kind, length) : array;
  }

  @Override
  public boolean hasRoom(long bytes) {
    return first.hasRoom(bytes) || second.hasRoom(bytes);
  }

  @Override
  public long bytes() {
    return first.bytes() + second.bytes();
  }

  @Override
  public long mappedBytes() {
    return first.mappedBytes() + second.mappedBytes();
  }
}
