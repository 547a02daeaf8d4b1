package org.sparkgpugraph.benchmarks.cold;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.Partition;
import org.apache.spark.Partitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.Iterator$;
import scala.reflect.ClassTag$;

/** An RDD of one object a partition, each of a file of this host. */
final class SavedPartitions<T> extends RDD<T> {
  private static final long serialVersionUID = 1L;
  private static final int BUFFER = 1 << 20;

  private final String folder;
  private final String kind;
  private final int count;

  /**
   * @param kind first part of the files' names
   * @param type of the objects
   */
  SavedPartitions(JavaSparkContext sc, Path folder, String kind, Class<T> type) throws IOException {
    this(sc, folder, kind, type, count(folder, kind));
  }

  private SavedPartitions(JavaSparkContext sc, Path folder, String kind, Class<T> type, int count) {
    super(
        sc.parallelize(IntStream.range(0, count).boxed().toList(), count).rdd(),
        ClassTag$.MODULE$.<T>apply(type));
    this.folder = folder.toString();
    this.kind = kind;
    this.count = count;
  }

  private static int count(Path folder, String kind) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return (int) files.filter(f -> f.getFileName().toString().startsWith(kind + "-")).count();
    }
  }

  private static Path file(String folder, String kind, int index) {
    return Path.of(folder, kind + "-" + index);
  }

  /** Keeps the object of a partition. */
  static void write(String folder, String kind, int index, Object partition) throws IOException {
    try (OutputStream out = Files.newOutputStream(file(folder, kind, index));
        ObjectOutputStream objects =
            new ObjectOutputStream(new BufferedOutputStream(out, BUFFER))) {
      objects.writeObject(partition);
    }
  }

  @Override
  @SuppressWarnings("unchecked") // as it was written
  public Iterator<T> compute(Partition split, TaskContext context) {
    try (ObjectInputStream objects =
        new ObjectInputStream(
            new BufferedInputStream(
                Files.newInputStream(file(folder, kind, split.index())), BUFFER))) {
      return Iterator$.MODULE$.single((T) objects.readObject());
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException("a kept partition cannot be read", e);
    }
  }

  @Override
  public Partition[] getPartitions() {
    return this.<Object>firstParent(ClassTag$.MODULE$.Object()).partitions();
  }

  /** GraphX deals vertices out by their hash. */
  @Override
  public Option<Partitioner> partitioner() {
    return Option.apply(new HashPartitioner(count));
  }
}
