package io.sparkgpugraph.exchange;

import io.sparkgpugraph.program.Kind;
import java.util.List;
import java.util.function.BiConsumer;

/** Writes {@link RefinedUpdates} for the shuffle and reads them again. Thread-safe. */
public final class UpdateCodec {
  /**
   * Where a record belongs; a record with another header than the expected one is refused.
   *
   * @param run number of the run
   * @param epoch number of the exchange within the run
   * @param sender executor graph that says something
   * @param reader executor graph that is told
   */
  public record Header(long run, int epoch, int sender, int reader) {}

  private final List<Kind> kinds;
  private final UpdateEncoding encoding;

  /**
   * @param shippedKinds kinds of the columns that travel
   * @param encoding how values are written; records of either encoding are read
   */
  public UpdateCodec(List<Kind> shippedKinds, UpdateEncoding encoding) {
    kinds = List.copyOf(shippedKinds);
    this.encoding = encoding;
  }

  /**
   * Writes what one executor graph says to another.
   *
   * @param lists entry k for the k-th boundary list of the pair; null or without updates: nothing
   *     to say
   * @return the records, in any order; none when there is nothing to say at all
   */
  public List<byte[]> encode(Header header, List<RefinedUpdates> lists) {
    throw new UnsupportedOperationException("encode");
  }

  /**
   * Reads a record. The updates of a list may be spread over several records, so a list may come
   * more than once, with other positions each time.
   *
   * @param lists takes the number of a boundary list of the pair and its updates, which are the
   *     taker's to keep; called only when all of the record is right
   * @throws ExchangeFormatException when the record is damaged or its header is not the expected
   *     one
   */
  public void decode(byte[] record, Header expected, BiConsumer<Integer, RefinedUpdates> lists) {
    throw new UnsupportedOperationException("decode");
  }
}
