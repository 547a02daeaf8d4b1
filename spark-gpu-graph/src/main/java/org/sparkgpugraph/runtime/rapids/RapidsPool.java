package org.sparkgpugraph.runtime.rapids;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.sparkgpugraph.engine.cuda.SharedPool;
import org.sparkgpugraph.engine.device.MemoryInfo;
import org.sparkgpugraph.engine.device.Reclaimable;

/**
 * The memory pool of RAPIDS, of which graphs and runs take a part at most. When RAPIDS needs memory
 * it asks for what no run uses, as it asks its own spillable tables; so those count as free here.
 * Thread-safe.
 */
public final class RapidsPool implements SharedPool {
  /** The key of the part. */
  static final String FRACTION_KEY = "spark.gpugraph.gpu.poolFraction";

  private final RmmBinding rmm;
  private final Optional<SpillFramework> spills;
  private final double fraction;
  private final AtomicLong taken = new AtomicLong();
  private final Set<Block> blocks = ConcurrentHashMap.newKeySet();
  private final Set<Reclaimable> reclaimables =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private volatile boolean ended;

  RapidsPool(RmmBinding rmm, Optional<SpillFramework> spills, double fraction) {
    this.rmm = rmm;
    this.spills = spills;
    this.fraction = fraction;
    spills.ifPresent(framework -> framework.reclaimFrom(new All()));
  }

  /** All that registered. */
  private final class All implements Reclaimable {
    private List<Reclaimable> each() {
      synchronized (reclaimables) {
        return new ArrayList<>(reclaimables);
      }
    }

    @Override
    public long reclaimableBytes() {
      return ended ? 0 : each().stream().mapToLong(Reclaimable::reclaimableBytes).sum();
    }

    @Override
    public long reclaim(long bytes) {
      long freed = 0;
      for (Reclaimable one : each()) {
        if (freed < bytes && !ended) {
          freed += one.reclaim(bytes - freed);
        }
      }
      return freed;
    }
  }

  private final class Block implements Buffer {
    private final Object buffer;
    private final long address;
    private final long bytes;
    private final AtomicBoolean closed = new AtomicBoolean();

    Block(Object buffer, long bytes) {
      this.buffer = buffer;
      this.bytes = bytes;
      address = rmm.address(buffer);
    }

    @Override
    public long address() {
      return address;
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        blocks.remove(this);
        taken.addAndGet(-bytes);
        rmm.close(buffer);
      }
    }
  }

  @Override
  public Buffer allocate(long bytes) throws RefusedException {
    if (ended) {
      throw new RefusedException("RAPIDS has shut down");
    }
    long most = most();
    if (taken.addAndGet(bytes) > most) {
      taken.addAndGet(-bytes);
      throw new RefusedException(
          "%d of at most %d bytes are taken (%s)".formatted(taken.get(), most, FRACTION_KEY));
    }
    Object buffer;
    try {
      buffer = rmm.allocate(bytes);
    } catch (RefusedException | RuntimeException | Error e) {
      taken.addAndGet(-bytes);
      throw e;
    }
    Block block = new Block(buffer, bytes);
    blocks.add(block);
    if (ended) {
      block.close();
      throw new RefusedException("RAPIDS has shut down");
    }
    return block;
  }

  /** Bytes that graphs and runs may take together; without a bound where there is no pool. */
  public long most() {
    return most(rmm.poolSize());
  }

  /** Where there is no pool RAPIDS bounds nothing itself. */
  private long most(long pool) {
    return pool < 0 ? Long.MAX_VALUE : (long) (fraction * pool);
  }

  @Override
  public MemoryInfo memory(MemoryInfo gpu) {
    if (ended) {
      return new MemoryInfo(0, gpu.total());
    }
    long pool = rmm.poolSize();
    long own = taken.get();
    if (pool < 0) {
      return new MemoryInfo(
          Math.max(0, Math.min(gpu.free(), (long) (fraction * gpu.total()) - own)), gpu.total());
    }
    long spillable = spills.map(SpillFramework::spillableOfOthers).orElse(0L);
    long free = Math.min(most(pool) - own, pool - rmm.allocated() + spillable);
    return new MemoryInfo(Math.max(0, free), pool);
  }

  @Override
  public void reclaimFrom(Reclaimable reclaimable) {
    reclaimables.add(reclaimable);
  }

  /** Bytes that are taken now. */
  public long taken() {
    return taken.get();
  }

  @Override
  public String describe() {
    long pool = rmm.poolSize();
    return "memory of RAPIDS"
        + (pool < 0
            ? ""
            : ", at most %.1f of its pool's %.1f GB (%s = %s)"
                .formatted(most(pool) / 1e9, pool / 1e9, FRACTION_KEY, fraction))
        + (spills.isPresent() ? "" : "; it does not ask for it back");
  }

  /** Gives everything back: RAPIDS shuts down. */
  void end() {
    ended = true;
    if (!blocks.isEmpty()) {
      rmm.synchronizeDevice();
      List.copyOf(blocks).forEach(Block::close);
    }
  }
}
