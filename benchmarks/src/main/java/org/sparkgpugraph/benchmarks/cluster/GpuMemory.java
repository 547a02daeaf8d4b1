package org.sparkgpugraph.benchmarks.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * What is used of this host's GPUs, by whomever, as {@code nvidia-smi} tells it.
 *
 * @param megabytes of each GPU
 */
record GpuMemory(List<Long> megabytes) {
  /** The driver may keep some. */
  private static final long SLACK_MEGABYTES = 64;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  /**
   * What is used now.
   *
   * @throws UncheckedIOException when nvidia-smi cannot be run
   */
  static GpuMemory used() {
    try {
      Process process =
          new ProcessBuilder(
                  "nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits")
              .redirectErrorStream(true)
              .start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return of(text);
    } catch (IOException e) {
      throw new UncheckedIOException("asking nvidia-smi what is used of the GPUs' memory", e);
    }
  }

  /**
   * Reads what nvidia-smi says.
   *
   * @throws IllegalStateException when that is something else
   */
  static GpuMemory of(String text) {
    try {
      return new GpuMemory(text.strip().lines().map(line -> Long.valueOf(line.strip())).toList());
    } catch (NumberFormatException e) {
      throw new IllegalStateException("nvidia-smi says: " + text.strip(), e);
    }
  }

  /** Waits until no more is used than now, for some time, and tells what is used then. */
  GpuMemory awaitLeft() {
    long end = System.nanoTime() + PATIENCE_NANOS;
    GpuMemory now = used();
    while (now.isMoreThan(this) && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
      now = used();
    }
    return now;
  }

  /** Whether more is used of any GPU. */
  boolean isMoreThan(GpuMemory before) {
    for (int i = 0; i < megabytes.size(); i++) {
      if (megabytes.get(i) > before.megabytes.get(i) + SLACK_MEGABYTES) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return megabytes.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
