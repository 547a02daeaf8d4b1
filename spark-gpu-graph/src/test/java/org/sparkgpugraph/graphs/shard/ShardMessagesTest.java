package org.sparkgpugraph.graphs.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkgpugraph.graphs.LocalShards;
import org.sparkgpugraph.graphs.RandomBlocks;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.memory.ByteReader;
import org.sparkgpugraph.graphs.memory.ByteWriter;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.IdDictionary;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ir.Kind;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** What travels between shards, with either serializer, and the bytes that it is made of. */
class ShardMessagesTest {
  static Stream<Arguments> serializers() {
    return Stream.of(
        Arguments.of("Java", new JavaSerializer(new SparkConf(false)).newInstance()),
        Arguments.of("Kryo", new KryoSerializer(new SparkConf(false)).newInstance()));
  }

  private static <T> T copy(SerializerInstance serializer, T object) {
    ClassTag<T> tag = ClassTag$.MODULE$.apply(object.getClass());
    T copy = serializer.deserialize(serializer.serialize(object, tag), tag);
    assertThat(copy).isNotSameAs(object).hasSameClassAs(object);
    return copy;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("serializers")
  void shardsAreBuiltAndConnectedFromCopies(String name, SerializerInstance serializer) {
    RandomBlocks blocks =
        new RandomBlocks(
            new Random(1), RandomBlocks.Ids.HUGE, RandomBlocks.Form.LOCAL, 60, 300, true, true);
    EdgeSample sample =
        copy(serializer, EdgeSample.of(blocks.edges.iterator(), 1))
            .merge(copy(serializer, EdgeSample.empty()));
    IdRanges ranges = copy(serializer, sample.split(3, false));
    assertThat(ranges).isEqualTo(sample.split(3, false));
    ShardBuilder.Options options = new ShardBuilder.Options(2, 1, LocalShards.DOUBLE, false, true);
    LocalShards shards = new LocalShards(ranges, options, new Random(1));
    List<ShardBuilder> builders = new ArrayList<>();
    for (int s = 0; s < 3; s++) {
      builders.add(new ShardBuilder(s, ranges, options));
    }
    for (int p = 0; p < blocks.edges.size(); p++) {
      shards
          .router(options)
          .route(p, List.of(blocks.edges.get(p)).iterator())
          .forEachRemaining(parcel -> builders.get(parcel.shard()).add(copy(serializer, parcel)));
    }
    for (int p = 0; p < blocks.vertices.size(); p++) {
      shards
          .router(options)
          .routeVertices(p, blocks.vertices.get(p), null)
          .forEachRemaining(parcel -> builders.get(parcel.shard()).add(copy(serializer, parcel)));
    }
    builders.forEach(b -> shards.graphs.add(b.build()));
    List<GhostReply> replies = new ArrayList<>();
    List<GhostRequest> requests = new ArrayList<>();
    for (GhostHandshake shake : shards.handshakes()) {
      shake.requests().forEachRemaining(r -> requests.add(copy(serializer, r)));
    }
    for (GhostHandshake shake : shards.handshakes()) {
      shake
          .answer(requests.stream().filter(r -> r.home() == shake.shard()).iterator(), null)
          .forEachRemaining(r -> replies.add(copy(serializer, r)));
    }
    long vertices = shards.graphs.stream().mapToLong(ExecutorGraph::heldVertices).sum();
    for (GhostHandshake shake : shards.handshakes()) {
      shake.accept(replies.stream().filter(r -> r.reader() == shake.shard()).iterator(), null);
      assertThat(shake.isConnected()).isFalse();
      shake.setVertexCount(vertices);
      assertThat(shake.isConnected()).isTrue();
    }
    assertThat(requests).isNotEmpty().allMatch(r -> r.bytes() > 0);
    assertThat(replies).isNotEmpty().allMatch(r -> r.bytes() > 0);
    ExecutorGraph whole =
        ExecutorGraphBuilder.build(
            blocks.edges,
            blocks.vertices,
            new ExecutorGraphBuilder.Options(1, 1, LocalShards.DOUBLE));
    ShardBuilderTest.assertUnion(shards, whole, false);
  }

  /** A parcel of GraphX's blocks takes 8 bytes an edge and 8 an id; serializers add next to it. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("serializers")
  void parcelsAreCompact(String name, SerializerInstance serializer) {
    int edges = 10_000;
    int[] ends = new Random(1).ints(edges, 0, 1000).toArray();
    long[] ids = new Random(2).longs(1000).toArray();
    EdgeBlock block = new LocalEdgeBlock(edges, ends, ends, ids, null);
    EdgeParcel parcel =
        new EdgeRouter(new IdRanges(), false, null).route(0, List.of(block).iterator()).next();
    assertThat(parcel.edges()).isEqualTo(edges);
    assertThat(parcel.bytes()).isBetween(8 * edges, 8 * edges + 8 * 1000 + 16);
    ClassTag<EdgeParcel> tag = ClassTag$.MODULE$.apply(EdgeParcel.class);
    assertThat(serializer.serialize(parcel, tag).remaining()).isLessThan(parcel.bytes() + 300);
  }

  @Property(tries = 300)
  void numbersAreReadAsWritten(@ForAll int[] ints, @ForAll long[] longs) {
    int[] ascendingInts = Arrays.stream(ints).map(i -> i & Integer.MAX_VALUE).sorted().toArray();
    long[] ascendingLongs = Arrays.stream(longs).sorted().toArray();
    ByteWriter writer = new ByteWriter(0);
    writer.put(ints, ints.length).put((byte) 7).put(longs, longs.length);
    writer.putVarying(ints, 0, ints.length);
    writer.putAscending(ascendingInts, 0, ints.length);
    writer.putAscending(ascendingLongs, 0, longs.length);
    for (long value : longs) {
      writer.putVarying(value).put(value).put((int) value);
    }
    ByteReader reader = new ByteReader(writer.toBytes());
    assertThat(reader.getInts(ints.length)).isEqualTo(ints);
    assertThat(reader.getByte()).isEqualTo((byte) 7);
    assertThat(reader.getLongs(longs.length)).isEqualTo(longs);
    int[] readInts = new int[ints.length];
    reader.getVarying(readInts, 0, ints.length);
    assertThat(readInts).isEqualTo(ints);
    reader.getAscending(readInts, 0, ints.length);
    assertThat(readInts).isEqualTo(ascendingInts);
    long[] readLongs = new long[longs.length];
    reader.getAscending(readLongs, 0, longs.length);
    assertThat(readLongs).isEqualTo(ascendingLongs);
    for (long value : longs) {
      assertThat(reader.getVarying()).isEqualTo(value);
      assertThat(reader.getLong()).isEqualTo(value);
      assertThat(reader.getInt()).isEqualTo((int) value);
    }
  }

  @Test
  void tablesAreReadAsWritten() {
    Columns columns = Columns.allocate(List.of(Kind.values()), 3);
    columns.booleans(0)[1] = true;
    columns.ints(1)[2] = -5;
    columns.longs(2)[0] = Long.MIN_VALUE;
    columns.floats(3)[1] = Float.MIN_VALUE;
    columns.doubles(4)[2] = -0.0;
    ByteWriter writer = new ByteWriter(0).put(columns).put((Columns) null).put(42);
    assertThat((long) writer.toBytes().length).isEqualTo(ByteWriter.bytes(columns) + 1 + 4);
    ByteReader reader = new ByteReader(writer.toBytes());
    Columns copy = reader.getColumns();
    assertThat(copy.kinds()).isEqualTo(columns.kinds());
    assertThat(copy.length()).isEqualTo(3);
    for (int c = 0; c < columns.width(); c++) {
      assertThat(copy.array(c)).isEqualTo(columns.array(c));
    }
    assertThat(reader.getColumns()).isNull();
    assertThat(reader.getInt()).isEqualTo(42);
  }

  /** A number of entries that the bytes behind it cannot fill allocates nothing. */
  @Test
  void damagedNumbersOfEntriesAreRefused() {
    Columns values = Columns.allocate(List.of(Kind.DOUBLE), 2);
    int[] ends = {0, 1};
    long[] ids = {3, 5};
    byte[] local = EdgeParcel.local(EdgeParcel.Side.IN, 2, ends, ends, 2, ids, values);
    refusedAt(2, local, bytes -> new EdgeParcel(0, 0, 0, bytes).block());
    refusedAt(22, local, bytes -> new EdgeParcel(0, 0, 0, bytes).block());
    refusedAt(43, local, bytes -> new EdgeParcel(0, 0, 0, bytes).block());
    byte[] kind = local.clone();
    kind[47] = (byte) Kind.values().length;
    assertThatThrownBy(() -> new EdgeParcel(0, 0, 0, kind).block())
        .hasMessage("a damaged message: a column of the kind " + Kind.values().length);
    refusedAt(1, EdgeParcel.sources(ids, 0, 2), bytes -> new EdgeParcel(0, 0, 0, bytes).sources());
    VertexBlock block = new VertexBlock(2, ids, null, 2, null);
    byte[] vertices = VertexParcel.content(block, ends, values);
    refusedAt(0, vertices, bytes -> new VertexParcel(0, 0, 0, bytes).vertices());
    byte[] request = new ByteWriter(0).put(0).put(0).put(2).put(0).put(0L).toBytes();
    refusedAt(12, request, bytes -> new GhostRequest(0, 0, bytes).content());
    byte[] reply = new ByteWriter(0).put(0).put(0).put(0).put(2).put(0).put(0L).toBytes();
    refusedAt(16, reply, bytes -> new GhostReply(0, 0, bytes).content());
    byte[] varying = new ByteWriter(0).putVarying(Integer.MAX_VALUE).toBytes();
    assertThatThrownBy(() -> new ByteReader(varying).getVaryingSize())
        .hasMessageContaining("2147483647 entries follow at byte 5 of 5, where 0 could");
  }

  private static void refusedAt(int at, byte[] message, Consumer<byte[]> reader) {
    for (int size : new int[] {Integer.MAX_VALUE - 8, 1 << 28, -1, Integer.MIN_VALUE}) {
      byte[] damaged = message.clone();
      ByteBuffer.wrap(damaged).order(ByteOrder.LITTLE_ENDIAN).putInt(at, size);
      assertThatThrownBy(() -> reader.accept(damaged))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("a damaged message: it says that " + size + " entries follow");
    }
  }

  @Test
  void dictionariesNumberIdsAsTheyCome() {
    long[] ids = new Random(5).longs(30_000).map(id -> id % 9_000).toArray();
    long[] distinct = Arrays.stream(ids).distinct().toArray();
    IdDictionary dictionary = new IdDictionary();
    for (long id : ids) {
      int number = dictionary.number(id);
      assertThat(distinct[number]).isEqualTo(id);
    }
    assertThat(dictionary.toArray()).isEqualTo(distinct);
  }
}
