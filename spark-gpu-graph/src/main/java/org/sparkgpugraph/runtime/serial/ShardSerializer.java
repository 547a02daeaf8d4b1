package org.sparkgpugraph.runtime.serial;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;

/**
 * Writes the records of an exchange, so that what Spark's shuffle metrics count is what was said
 * and little more: the reader's number and the record's length as variable-length integers (7 bits
 * a byte, lowest first, the high bit set in all but the last byte), the record, and its CRC32C (4
 * bytes, little-endian), since what is not compressed nobody else checks. Nothing is written before
 * the first or behind the last record and a record does not depend on those before it, so records
 * may be moved and streams concatenated (relocatable), by any shuffle manager.
 */
public final class ShardSerializer extends Serializer implements java.io.Serializable {
  private static final long serialVersionUID = 1L;

  /** Bytes of a record that are allocated before they are there. */
  private static final int TRUSTED = 1 << 22;

  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  private static int checksum(byte[] record) {
    CRC32C sum = new CRC32C();
    sum.update(record, 0, record.length);
    return (int) sum.getValue();
  }

  @Override
  public SerializerInstance newInstance() {
    return new Instance();
  }

  @Override
  public boolean supportsRelocationOfSerializedObjects() {
    return true;
  }

  private static UnsupportedOperationException pairsOnly() {
    return new UnsupportedOperationException("this serializer writes pairs of int and byte[] only");
  }

  private static final class Instance extends SerializerInstance {
    @Override
    public <T> ByteBuffer serialize(T object, ClassTag<T> tag) {
      throw pairsOnly();
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassTag<T> tag) {
      throw pairsOnly();
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> tag) {
      throw pairsOnly();
    }

    @Override
    public SerializationStream serializeStream(OutputStream out) {
      return new Writer(out);
    }

    @Override
    public DeserializationStream deserializeStream(InputStream in) {
      return new Reader(in);
    }
  }

  private static final class Writer extends SerializationStream {
    private final OutputStream out;

    Writer(OutputStream out) {
      this.out = out;
    }

    @Override
    public <T> SerializationStream writeKey(T key, ClassTag<T> tag) {
      try {
        writeInt((Integer) key);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return this;
    }

    @Override
    public <T> SerializationStream writeValue(T value, ClassTag<T> tag) {
      byte[] record = (byte[]) value;
      try {
        writeInt(record.length);
        out.write(record);
        out.write(ByteBuffer.allocate(Integer.BYTES).order(ORDER).putInt(checksum(record)).array());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return this;
    }

    private void writeInt(int value) throws IOException {
      int rest = value;
      while ((rest & ~0x7f) != 0) {
        out.write(rest & 0x7f | 0x80);
        rest >>>= 7;
      }
      out.write(rest);
    }

    @Override
    public <T> SerializationStream writeObject(T object, ClassTag<T> tag) {
      throw pairsOnly();
    }

    @Override
    public void flush() {
      try {
        out.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      try {
        out.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class Reader extends DeserializationStream {
    private final InputStream in;

    /** Buffered, since numbers are read byte by byte; records go past the buffer. */
    Reader(InputStream in) {
      this.in = new BufferedInputStream(in);
    }

    @Override
    @SuppressWarnings("unchecked") // what was written
    public <T> T readKey(ClassTag<T> tag) {
      try {
        int first = in.read();
        if (first < 0) {
          // How a stream tells that there are no more pairs; Spark's interface is Scala's, where
          // nothing is declared.
          throw ShardSerializer.<RuntimeException>undeclared(new EOFException());
        }
        return (T) (Integer) readInt(first);
      } catch (IOException e) {
        throw ShardSerializer.<RuntimeException>undeclared(e);
      }
    }

    @Override
    @SuppressWarnings("unchecked") // what was written
    public <T> T readValue(ClassTag<T> tag) {
      try {
        int length = readInt(in.read());
        byte[] record = bytes(length);
        if (ByteBuffer.wrap(bytes(Integer.BYTES)).order(ORDER).getInt() != checksum(record)) {
          throw new IOException(
              "an exchange between executors is damaged: a record of "
                  + length
                  + " bytes is not the one that was written");
        }
        return (T) record;
      } catch (IOException e) {
        throw ShardSerializer.<RuntimeException>undeclared(e);
      }
    }

    /** At once, unless the length is so large that it may be wrong. */
    private byte[] bytes(int length) throws IOException {
      byte[] record = length > TRUSTED ? in.readNBytes(length) : new byte[Math.max(0, length)];
      int read = length > TRUSTED ? record.length : in.readNBytes(record, 0, record.length);
      if (read != length) {
        throw cut();
      }
      return record;
    }

    private int readInt(int first) throws IOException {
      int value = 0;
      int shift = 0;
      int read = first;
      while (true) {
        if (read < 0 || shift > 28) {
          throw cut();
        }
        value |= (read & 0x7f) << shift;
        if ((read & 0x80) == 0) {
          return value;
        }
        shift += 7;
        read = in.read();
      }
    }

    /** Not an EOFException: that would be taken for the end. */
    private static IOException cut() {
      return new IOException("an exchange between executors is damaged: a record is incomplete");
    }

    @Override
    public <T> T readObject(ClassTag<T> tag) {
      throw pairsOnly();
    }

    @Override
    public void close() {
      try {
        in.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @SuppressWarnings("unchecked") // erased: nothing is cast
  private static <E extends Throwable> E undeclared(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
