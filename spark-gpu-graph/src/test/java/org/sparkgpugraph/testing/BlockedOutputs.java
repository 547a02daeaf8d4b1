package org.sparkgpugraph.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;

/**
 * Files of Spark's shuffles that cannot be written, as on a disk that is full: a folder that is not
 * empty is in the place of each. There are none after {@link #close}.
 */
public final class BlockedOutputs implements AutoCloseable {
  private final List<Path> folders = new ArrayList<>();

  /** Blocks the data of an output, which is not there yet. */
  public void block(int shuffle, long map) {
    var resolver =
        (IndexShuffleBlockResolver) SparkEnv.get().shuffleManager().shuffleBlockResolver();
    File file = resolver.getDataFile(shuffle, map);
    try {
      Path folder = Files.createDirectory(file.toPath());
      Files.createFile(folder.resolve("full"));
      folders.add(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether any is blocked. */
  public boolean isAny() {
    return !folders.isEmpty();
  }

  /** They can be written. */
  @Override
  public void close() {
    for (Path folder : folders) {
      try {
        Files.delete(folder.resolve("full"));
        // Spark, which takes it for the output's file, may remove it as soon as it is empty.
        Files.deleteIfExists(folder);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    folders.clear();
  }
}
