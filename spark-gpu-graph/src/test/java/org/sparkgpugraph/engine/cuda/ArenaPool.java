package org.sparkgpugraph.engine.cuda;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.MemoryInfo;
import org.sparkgpugraph.engine.device.Reclaimable;

/** Memory of one allocation that is handed out in parts, as another library's pool would. */
final class ArenaPool implements SharedPool {
  private final DeviceMemory arena;
  private final List<Part> parts = new ArrayList<>();
  final List<Reclaimable> reclaimables = new ArrayList<>();
  private long next;

  ArenaPool(DeviceMemory arena) {
    this.arena = arena;
  }

  private final class Part implements Buffer {
    private final long address;
    private final long bytes;

    Part(long address, long bytes) {
      this.address = address;
      this.bytes = bytes;
    }

    @Override
    public long address() {
      return address;
    }

    @Override
    public void close() {
      parts.remove(this);
      if (parts.isEmpty()) {
        next = 0;
      }
    }
  }

  @Override
  public Buffer allocate(long bytes) throws RefusedException {
    if (next + bytes > arena.bytes()) {
      throw new RefusedException("the arena is full");
    }
    Part part = new Part(arena.address() + next, bytes);
    next += bytes + 255 & -256;
    parts.add(part);
    return part;
  }

  long taken() {
    return parts.stream().mapToLong(part -> part.bytes).sum();
  }

  @Override
  public MemoryInfo memory(MemoryInfo gpu) {
    return new MemoryInfo(arena.bytes() - taken(), arena.bytes());
  }

  @Override
  public void reclaimFrom(Reclaimable reclaimable) {
    reclaimables.add(reclaimable);
  }

  @Override
  public String describe() {
    return "memory of an arena";
  }
}
