package org.sparkgpugraph.graphs.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.program.ir.Kind;

@Tag("any-spark")
class OffHeapArrayTest {
  @TempDir private Path directory;

  private List<EdgeMemory> homes() {
    return List.of(
        new DirectMemory(DirectMemory.Budget.of(1L << 30, "none")),
        new MappedMemory(List.of(directory), null));
  }

  private static Object random(Random random, Kind kind, int length) {
    Object array = Array.newInstance(kind.primitive(), length);
    for (int i = 0; i < length; i++) {
      switch (kind) {
        case BOOLEAN -> Array.setBoolean(array, i, random.nextBoolean());
        case INT -> Array.setInt(array, i, random.nextInt());
        case LONG -> Array.setLong(array, i, random.nextLong());
        case FLOAT -> Array.setFloat(array, i, random.nextFloat());
        case DOUBLE -> Array.setDouble(array, i, random.nextDouble());
      }
    }
    return array;
  }

  @Test
  void keepsWhatRangesAreGivenIt() {
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      for (EdgeMemory home : homes()) {
        for (Kind kind : Kind.values()) {
          int length = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(100_000);
          OffHeapArray array = home.allocate(kind, length);
          Object wanted = random(random, kind, length);
          array.put(0, wanted, 0, length);
          for (int i = 0; i < 4; i++) {
            int count = random.nextInt(length + 1);
            int to = random.nextInt(length - count + 1);
            int at = random.nextInt(5);
            Object some = random(random, kind, count + at);
            array.put(to, some, at, count);
            System.arraycopy(some, at, wanted, to, count);
          }
          int count = random.nextInt(length + 1);
          int from = random.nextInt(length - count + 1);
          Object found = Array.newInstance(kind.primitive(), count + 3);
          array.get(from, found, 2, count);
          Object expected = Array.newInstance(kind.primitive(), count + 3);
          System.arraycopy(wanted, from, expected, 2, count);
          assertThat(Objects.deepEquals(found, expected))
              .as("seed %s, %s, %s", seed, kind, home)
              .isTrue();
        }
      }
    }
  }

  /** With a measure of the room in a directory. */
  private static MappedMemory mapped(List<Path> directories, ToLongFunction<Path> free) {
    return new MappedMemory(
        directories, null, MappedMemory.PART_BYTES, free, UnaryOperator.identity());
  }

  @Test
  void aRangeMayCrossChunks() {
    int inChunk = OffHeapArray.CHUNK_BYTES / Long.BYTES;
    MappedMemory parts =
        new MappedMemory(
            List.of(directory),
            null,
            OffHeapArray.CHUNK_BYTES,
            path -> Long.MAX_VALUE,
            UnaryOperator.identity());
    for (EdgeMemory home : List.of(homes().get(0), parts)) {
      OffHeapArray array = home.allocate(Kind.LONG, 2 * inChunk + 10);
      assertThat(array.chunks()).isEqualTo(3);
      assertThat(home.bytes()).isEqualTo(8L * array.length());
      long[] some = {1, 2, 3, 4, 5, 6, 7};
      array.put(inChunk - 5, new long[11], 0, 11);
      array.put(inChunk - 3, some, 0, 7);
      array.put(2 * inChunk - 1, some, 0, 7);
      long[] found = new long[11];
      array.get(inChunk - 5, found, 0, 11);
      assertThat(found).containsExactly(0, 0, 1, 2, 3, 4, 5, 6, 7, 0, 0);
      assertThat(array.getLong(2 * inChunk + 5)).isEqualTo(7);
      assertThat(array.chunk(2).getLong(5 * Long.BYTES)).isEqualTo(7);
    }
  }

  /** Elements at an address, as generated loops read them. */
  private static Object at(long address, Kind kind, int count) {
    Object found = Array.newInstance(kind.primitive(), count);
    for (int i = 0; i < count; i++) {
      long at = address + (long) kind.bytes() * i;
      switch (kind) {
        case BOOLEAN -> Array.setBoolean(found, i, Platform.getBoolean(null, at));
        case INT -> Array.setInt(found, i, Platform.getInt(null, at));
        case LONG -> Array.setLong(found, i, Platform.getLong(null, at));
        case FLOAT -> Array.setFloat(found, i, Platform.getFloat(null, at));
        case DOUBLE -> Array.setDouble(found, i, Platform.getDouble(null, at));
      }
    }
    return found;
  }

  /** In the chunk where they are side by side, else copies, which grow with what is asked for. */
  @Test
  void elementsHaveAddresses() {
    List<EdgeMemory> homes = new ArrayList<>(homes());
    homes.add(new SmallChunks());
    homes.add(
        new MappedMemory(
            List.of(directory),
            null,
            SmallChunks.BYTES,
            path -> Long.MAX_VALUE,
            UnaryOperator.identity()));
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      EdgeMemory home = homes.get(seed % homes.size());
      for (Kind kind : Kind.values()) {
        int length = random.nextInt(10_000);
        OffHeapArray array = home.allocate(kind, length);
        Object wanted = random(random, kind, length);
        array.put(0, wanted, 0, length);
        ElementAddresses addresses = new ElementAddresses(null);
        for (int i = 0; i < 8; i++) {
          int count = random.nextInt(length + 1);
          int from = random.nextInt(length - count + 1);
          long inPlace = array.address(from, count);
          int inChunk = SmallChunks.BYTES / kind.bytes();
          // Parts of a file go on for as much again.
          int inOne = home instanceof SmallChunks ? inChunk : 2 * inChunk;
          boolean whole = homes.indexOf(home) < 2 || from % inChunk + count <= inOne;
          String what = "seed %s, %s, %s, %s from %s on".formatted(seed, kind, home, count, from);
          assertThat(inPlace != 0).as(what).isEqualTo(count > 0 && whole);
          long address =
              addresses.of(
                  inPlace, kind, from, count, (f, part, into) -> array.get(f, into, 0, part));
          Object expected = Array.newInstance(kind.primitive(), count);
          System.arraycopy(wanted, from, expected, 0, count);
          assertThat(Objects.deepEquals(at(address, kind, count), expected)).as(what).isTrue();
        }
        Reference.reachabilityFence(array);
        Reference.reachabilityFence(addresses);
      }
    }
  }

  /** Of one thread; what it copies next takes the place of what it had. */
  @Test
  void copiesAreTakenOfABudget() {
    DirectMemory.Budget budget = DirectMemory.Budget.of(9 << 20, "raise the limit");
    ElementAddresses copies = new ElementAddresses(budget);
    copy(copies, ElementAddresses.LITTLE / Integer.BYTES);
    assertThat(budget.hasRoom(9 << 20)).as("little").isTrue();
    copy(copies, 2 << 20);
    assertThat(budget.hasRoom(1 << 20)).isTrue();
    assertThat(budget.hasRoom((1 << 20) + 1)).isFalse();
    ElementAddresses others = new ElementAddresses(budget);
    assertThatThrownBy(() -> copy(others, 1 << 19))
        .isInstanceOf(OffHeapMemoryException.class)
        .hasMessageContaining("a copy of 2,097,152 bytes")
        .hasMessageContaining("1,048,576 of 9,437,184 bytes are free: raise the limit");
    // It needs no more.
    copy(copies, 1 << 20);
    assertThatThrownBy(() -> copy(copies, 3 << 20)).isInstanceOf(OffHeapMemoryException.class);
    assertThat(budget.hasRoom(9 << 20)).isTrue();
    copy(others, 1 << 19);
    assertThat(budget.hasRoom(9 << 20)).isFalse();
    Reference.reachabilityFence(others);
  }

  private static void copy(ElementAddresses copies, int count) {
    long address = copies.of(0, Kind.INT, 7, count, (from, part, into) -> ((int[]) into)[0] = from);
    assertThat(Platform.getInt(null, address)).isEqualTo(7);
  }

  @Test
  void copiesAreGivenBackOnceNobodyReachesThem() throws InterruptedException {
    DirectMemory.Budget budget = DirectMemory.Budget.of(8 << 20, "none");
    copy(new ElementAddresses(budget), 2 << 20);
    for (int i = 0; i < 250 && !budget.hasRoom(8 << 20); i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(budget.hasRoom(8 << 20)).isTrue();
  }

  @Test
  void whatIsOutsideIsRefused() {
    for (EdgeMemory home : homes()) {
      OffHeapArray array = home.allocate(Kind.INT, 10);
      assertThatThrownBy(() -> array.get(8, new int[3], 0, 3))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage("3 elements from 8 on, of an array of 10");
      assertThatThrownBy(() -> array.address(8, 3)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> array.put(-1, new int[3], 0, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> array.put(Integer.MAX_VALUE, new int[3], 0, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void memoryIsTakenBackOnceNobodyReachesIt() {
    for (EdgeMemory home : homes()) {
      OffHeapArray array = home.allocate(Kind.INT, 1 << 20);
      assertThat(home.bytes()).isEqualTo(4 << 20);
      array.put(0, new int[] {7}, 0, 1);
      assertThat(array.getInt(0)).isEqualTo(7);
      array = null;
      for (int i = 0; i < 100 && home.bytes() > 0; i++) {
        Collected.await(home::bytes, () -> home.bytes() == 0);
      }
      assertThat(home.bytes()).isZero();
    }
  }

  @Test
  void aBudgetIsKept() {
    DirectMemory home = new DirectMemory(DirectMemory.Budget.of(1000, "raise the limit"));
    OffHeapArray kept = home.allocate(Kind.INT, 100);
    assertThatThrownBy(() -> home.allocate(Kind.LONG, 100))
        .isInstanceOf(OffHeapMemoryException.class)
        .hasMessage(
            "an array of 800 bytes of a graph's edges does not fit off the heap: 600 of 1,000 bytes"
                + " are free: raise the limit");
    assertThat(home.bytes()).isEqualTo(kept.bytes());
    // One that was given back may be taken again.
    for (int i = 0; i < 10; i++) {
      home.allocate(Kind.INT, 150);
    }
  }

  @Test
  void aRefusalOfTheSystemIsNoEndOfTheExecutor() {
    int[] allowed = {1};
    DirectMemory home =
        new DirectMemory(
            DirectMemory.Budget.of(1L << 40, "raise the limit"),
            bytes -> {
              if (allowed[0]-- == 0) {
                throw new OutOfMemoryError("no more");
              }
              return ByteBuffer.allocate(8);
            });
    assertThatThrownBy(() -> home.allocate(Kind.LONG, 1 << 24))
        .isInstanceOf(OffHeapMemoryException.class)
        .hasNoCause()
        .hasMessageStartingWith(
            "the system refuses memory for an array of 134,217,728 bytes of a graph's edges off the"
                + " heap (no more)")
        .hasMessageContaining("raise the limit")
        .hasMessageEndingWith("spark.gpugraph.memory.edges = mapped");
    assertThat(home.bytes()).isZero();
  }

  @Test
  void filesHaveNoNames() throws IOException {
    MappedMemory home =
        new MappedMemory(List.of(directory.resolve("a"), directory.resolve("b")), null);
    OffHeapArray array = home.allocate(Kind.INT, 1000);
    array.put(0, new int[1000], 0, 1000);
    assertThat(home.mappedBytes()).isEqualTo(4000);
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files.filter(Files::isRegularFile)).isEmpty();
    }
  }

  /** As by somebody who cleans up temporary folders. */
  @Test
  void aFolderThatIsRemovedTakesNothingAway() throws IOException {
    Path folder = directory.resolve("folder");
    MappedMemory home = new MappedMemory(List.of(folder), null);
    OffHeapArray array = home.allocate(Kind.INT, 10);
    Files.delete(folder);
    array.put(9, new int[] {7}, 0, 1);
    array.seal();
    assertThat(array.getInt(9)).isEqualTo(7);
    OffHeapArray next = home.allocate(Kind.INT, 10);
    next.put(0, new int[] {8}, 0, 1);
    assertThat(next.getInt(0)).isEqualTo(8);
  }

  @Test
  void aDirectoryThatCannotBeIsNamed() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    MappedMemory home = new MappedMemory(List.of(file), null);
    assertThatThrownBy(() -> home.allocate(Kind.INT, 1000))
        .isInstanceOf(OffHeapMemoryException.class)
        .hasMessageStartingWith("a file of 4,000 bytes cannot be mapped in " + file)
        .hasMessageContaining("spark.local.dir");
    assertThat(home.bytes()).isZero();
  }

  /** As on a disk that was mounted for reading only: what has a folder there is a file here. */
  @Test
  void whereNoFileCanBeMadeAnotherDirectoryIsTaken() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    Path folder = directory.resolve("folder");
    MappedMemory home = mapped(List.of(file, folder), path -> path.equals(file) ? 5000 : 4500);
    OffHeapArray array = home.allocate(Kind.INT, 1000);
    array.put(0, new int[] {7}, 0, 1);
    assertThat(array.getInt(0)).isEqualTo(7);
    assertThat(Files.isDirectory(folder)).isTrue();
    // What was reserved where no file could be made is free again.
    array.seal();
    assertThat(home.hasRoom(5000)).isTrue();
    // The other one has no room for this.
    assertThatThrownBy(() -> home.allocate(Kind.INT, 1200))
        .isInstanceOf(OffHeapMemoryException.class)
        .hasMessageStartingWith("a file of 4,800 bytes cannot be mapped in " + file);
    MappedMemory both = new MappedMemory(List.of(file, file.resolve("below")), null);
    assertThatThrownBy(() -> both.allocate(Kind.INT, 10))
        .isInstanceOf(OffHeapMemoryException.class)
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(both.bytes()).isZero();
  }

  @Test
  void aDiskWithTooLittleRoomIsNamed() {
    MappedMemory home = mapped(List.of(directory), path -> 3999);
    assertThatThrownBy(() -> home.allocate(Kind.INT, 1000))
        .isInstanceOf(OffHeapMemoryException.class)
        .hasMessageStartingWith(
            "an array of 4,000 bytes of a graph's edges does not fit the disk of any local directory"
                + " of Spark (["
                + directory
                + "]; at most 3,999 bytes are free)")
        .hasMessageContaining("spark.local.dir");
    assertThat(mapped(List.of(directory), path -> 4000).allocate(Kind.INT, 1000).length())
        .isEqualTo(1000);
  }

  @Test
  void aDiskThatFillsUpMeanwhileIsNamed() {
    OffHeapArray.Store full =
        new OffHeapArray.Store() {
          @Override
          public void write(ByteBuffer from, long at) throws IOException {
            throw new IOException("No space left on device");
          }

          @Override
          public String place() {
            return "file /somewhere";
          }
        };
    OffHeapArray array =
        new OffHeapArray(
            Kind.INT,
            10,
            new ByteBuffer[] {ByteBuffer.allocate(40)},
            OffHeapArray.CHUNK_BYTES,
            full,
            null);
    assertThatThrownBy(() -> array.put(2, new int[5], 0, 5))
        .isInstanceOf(OffHeapMemoryException.class)
        .hasMessageStartingWith(
            "20 bytes of a graph's edges cannot be written to the file /somewhere")
        .hasMessageContaining("No space left on device")
        .hasMessageContaining("spark.local.dir");
  }

  /** Before anybody uses what was not read, and in the thread that reads, compiled or not. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatADiskNoLongerGivesIsToldAtOnce(Kind kind) {
    int size = 10_000;
    MappedMemory home = new MappedMemory(List.of(directory), null);
    OffHeapArray array = home.allocate(kind, size);
    Object into = Array.newInstance(kind.primitive(), size);
    array.put(0, into, 0, size);
    for (int i = 0; i < 20_000; i++) {
      array.get(i % size, into, 0, 1);
    }
    FaultyDisk.lose(array, directory);
    for (int i = 0; i < 5; i++) {
      int from = i * 1500;
      assertThatThrownBy(() -> array.get(from, into, 0, 1500))
          .isInstanceOf(OffHeapMemoryException.class)
          .hasMessageStartingWith(
              "elements %s to %s of the file %s".formatted(from, from + 1499, directory))
          .hasMessageContaining("cannot be read")
          .hasMessageContaining("spark.local.dir")
          .hasNoCause()
          .satisfies(e -> assertThat(e.getSuppressed()[0]).isInstanceOf(InternalError.class));
    }
    if (kind == Kind.INT || kind == Kind.LONG) {
      assertThatThrownBy(() -> element(array))
          .isInstanceOf(OffHeapMemoryException.class)
          .hasMessageStartingWith("elements 9000 to 9000 of the file");
    }
  }

  private static long element(OffHeapArray array) {
    return array.kind() == Kind.INT ? array.getInt(9000) : array.getLong(9000);
  }

  /** As where the system has no addresses left to map a file at. */
  @Test
  void anErrorOfTheJvmIsNoCause() {
    IOException failed = new IOException("Map failed", new OutOfMemoryError("Map failed"));
    assertThat(new OffHeapMemoryException("a file cannot be mapped", failed))
        .hasNoCause()
        .hasSuppressedException(failed);
    IOException full = new IOException("No space left on device");
    assertThat(new OffHeapMemoryException("a file cannot be written", full)).hasCause(full);
  }

  @Test
  void theSecondHomeHasWhatTheFirstHasNoRoomFor() {
    MappedMemory mapped = new MappedMemory(List.of(directory), null);
    FirstWithRoom home =
        new FirstWithRoom(new DirectMemory(DirectMemory.Budget.of(1000, "none")), mapped);
    OffHeapArray first = home.allocate(Kind.INT, 200);
    OffHeapArray second = home.allocate(Kind.INT, 200);
    assertThat(home.bytes()).isEqualTo(first.bytes() + second.bytes());
    assertThat(home.mappedBytes()).isEqualTo(800);
  }

  @Test
  void theSecondHomeHasWhatTheSystemRefusesTheFirst() {
    DirectMemory refused =
        new DirectMemory(
            DirectMemory.Budget.of(1000, "none"),
            bytes -> {
              throw new OutOfMemoryError("no more");
            });
    FirstWithRoom home = new FirstWithRoom(refused, new MappedMemory(List.of(directory), null));
    assertThat(home.allocate(Kind.INT, 200).isMapped()).isTrue();
    assertThat(refused.bytes()).isZero();
    assertThat(refused.hasRoom(1000)).isTrue();
  }

  /** A directory with a file that could not be read is the last that is taken. */
  @Test
  void whereAFileCannotBeReadIsAvoided() {
    Path a = directory.resolve("a");
    Path b = directory.resolve("b");
    AtomicLong roomOfB = new AtomicLong(4500);
    MappedMemory home = mapped(List.of(a, b), path -> path.equals(a) ? 5000 : roomOfB.get());
    OffHeapArray first = home.allocate(Kind.INT, 1000);
    assertThat(Files.exists(a)).isTrue();
    first.failed();
    OffHeapArray second = home.allocate(Kind.INT, 1000);
    assertThat(Files.exists(b)).isTrue();
    first.seal();
    second.seal();
    roomOfB.set(0);
    OffHeapArray third = home.allocate(Kind.INT, 1000);
    third.put(0, new int[] {7}, 0, 1);
    assertThat(third.getInt(0)).isEqualTo(7);
  }

  /** What is allocated takes nothing of the disk before it is written. */
  @Test
  void whatIsNotWrittenYetTakesRoom() {
    Path a = directory.resolve("a");
    Path b = directory.resolve("b");
    MappedMemory home = mapped(List.of(a, b), path -> path.equals(a) ? 1000 : 900);
    OffHeapArray first = home.allocate(Kind.INT, 200);
    OffHeapArray second = home.allocate(Kind.INT, 200);
    try (Stream<Path> made = Files.list(directory)) {
      assertThat(made).containsExactlyInAnyOrder(a, b);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(home.hasRoom(200)).isTrue();
    assertThat(home.hasRoom(201)).isFalse();
    assertThatThrownBy(() -> home.allocate(Kind.INT, 51))
        .isInstanceOf(OffHeapMemoryException.class)
        .hasMessageContaining("at most 200 bytes are free");
    // From now on it is the disk's affair, which this one knows nothing of.
    first.put(0, new int[150], 0, 150);
    assertThat(home.hasRoom(800)).isTrue();
    first.put(0, new int[150], 0, 150);
    assertThat(home.hasRoom(1000)).isTrue();
    assertThat(home.hasRoom(1001)).isFalse();
    second.seal();
    assertThatThrownBy(() -> second.put(0, new int[1], 0, 1))
        .isInstanceOf(IllegalStateException.class);
    assertThat(second.getInt(0)).isZero();
  }

  @Test
  void anInterruptionIsNoFullDisk() {
    MappedMemory home = new MappedMemory(List.of(directory), null);
    OffHeapArray array = home.allocate(Kind.INT, 10);
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> home.allocate(Kind.INT, 10))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("interrupted while a file for a graph's edges was made in");
      assertThat(home.bytes()).isEqualTo(40);
      for (int i = 0; i < 2; i++) {
        // The second time the file is closed already.
        assertThatThrownBy(() -> array.put(0, new int[10], 0, 10))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageStartingWith("interrupted while a graph's edges were written to the file");
      }
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
