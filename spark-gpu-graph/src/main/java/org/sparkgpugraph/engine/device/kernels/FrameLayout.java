package org.sparkgpugraph.engine.device.kernels;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.program.cuda.CTypes;
import org.sparkgpugraph.program.ir.Kind;

/**
 * A struct that the host fills and kernels read. Every member takes 8 bytes whatever its type, so
 * that host and device agree on the offsets without asking a compiler; the struct's text and its
 * bytes come from this one list.
 */
public final class FrameLayout {
  private static final int SLOT = 8;

  private final String name;
  private final List<String> declarations = new ArrayList<>();
  private final Map<String, Integer> slots = new LinkedHashMap<>();

  /**
   * @param name of the struct
   */
  public FrameLayout(String name) {
    this.name = name;
  }

  /** The same members, to be followed by others. */
  FrameLayout(FrameLayout first) {
    this(first.name);
    declarations.addAll(first.declarations);
    slots.putAll(first.slots);
  }

  /** Adds a 64-bit integer. */
  public void integer(String member) {
    add(member, "long long " + member);
  }

  /** Adds a value of a kind. */
  void value(String member, Kind kind) {
    add(member, "alignas(8) " + CTypes.register(kind) + " " + member);
  }

  /**
   * Adds a pointer.
   *
   * @param type of what it points at
   */
  public void pointer(String member, String type) {
    add(member, type + "* " + member);
  }

  /** Adds 64-bit integers. */
  public void integers(String... members) {
    List.of(members).forEach(this::integer);
  }

  /** Adds pointers to one type. */
  public void pointers(String type, String... members) {
    List.of(members).forEach(member -> pointer(member, type));
  }

  private void add(String member, String declaration) {
    if (slots.putIfAbsent(member, slots.size()) != null) {
      throw new IllegalArgumentException(name + " has a member " + member + " already");
    }
    declarations.add(declaration);
  }

  /** The struct's definition. */
  String text() {
    return text(member -> member);
  }

  /** The struct's definition for code that knows members by other names. */
  String text(UnaryOperator<String> rename) {
    StringBuilder out = new StringBuilder("struct ").append(name).append(" {\n");
    int next = 0;
    for (String member : slots.keySet()) {
      String declaration = declarations.get(next++);
      String type = declaration.substring(0, declaration.length() - member.length());
      out.append("  ").append(type).append(rename.apply(member)).append(";\n");
    }
    return out.append("};\n").toString();
  }

  /** Whether there is a member of this name. */
  public boolean has(String member) {
    return slots.containsKey(member);
  }

  /** Size of the struct. */
  public int bytes() {
    return SLOT * slots.size();
  }

  /** A struct whose members are all zero. */
  public Frame newFrame() {
    return new Frame(ByteBuffer.allocate(bytes()));
  }

  /** … that has those of some memory that it has members for. */
  public Frame newFrame(Map<String, DeviceMemory> memory) {
    Frame frame = newFrame();
    memory.forEach(
        (member, of) -> {
          if (has(member)) {
            frame.set(member, of);
          }
        });
    return frame;
  }

  /** The bytes of one struct. Not thread-safe. */
  public final class Frame {
    private final ByteBuffer bytes;

    private Frame(ByteBuffer bytes) {
      this.bytes = bytes.order(ByteOrder.nativeOrder());
    }

    private int offset(String member) {
      Integer slot = slots.get(member);
      if (slot == null) {
        throw new IllegalArgumentException(
            name + " has no member " + member + "; it has " + slots.keySet());
      }
      return SLOT * slot;
    }

    /** Sets an integer. */
    public Frame set(String member, long value) {
      bytes.putLong(offset(member), value);
      return this;
    }

    /** Sets a pointer; null is a null pointer. */
    public Frame set(String member, DeviceMemory memory) {
      return set(member, memory == null ? 0 : memory.address());
    }

    /** Sets a value. */
    public Frame box(String member, Object value) {
      int offset = offset(member);
      bytes.putLong(offset, 0);
      if (value instanceof Boolean b) {
        bytes.putInt(offset, b ? 1 : 0);
      } else if (value instanceof Integer i) {
        bytes.putInt(offset, i);
      } else if (value instanceof Long l) {
        bytes.putLong(offset, l);
      } else if (value instanceof Float f) {
        bytes.putFloat(offset, f);
      } else if (value instanceof Double d) {
        bytes.putDouble(offset, d);
      } else {
        throw new IllegalArgumentException(
            "member " + member + " of " + name + " cannot hold " + value);
      }
      return this;
    }

    /** Sets the first members to those of a struct that has no others. */
    public Frame copy(Frame first) {
      bytes.put(0, first.bytes.array());
      return this;
    }

    /** The bytes; a copy. */
    public byte[] toArray() {
      return bytes.array().clone();
    }
  }
}
