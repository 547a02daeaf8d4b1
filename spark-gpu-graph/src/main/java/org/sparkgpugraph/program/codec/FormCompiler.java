package org.sparkgpugraph.program.codec;

import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ValueType;

/**
 * Compiles forms, and keeps what it compiled last: code that is new is slow until the JVM has
 * compiled it in turn.
 */
public final class FormCompiler {
  /** Components up to which a loop over values stays within what HotSpot compiles. */
  private static final int MOST_COMPONENTS = 100;

  private static final int KEPT = 32;

  /** A type in the classes of one class loader. */
  private record Key(ValueType type, List<Class<?>> classes) {}

  private static final Map<Key, CompiledForm> COMPILED =
      new LinkedHashMap<>(KEPT, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, CompiledForm> eldest) {
          return size() > KEPT;
        }
      };

  private FormCompiler() {}

  /**
   * Code for a form.
   *
   * @param form of the type
   * @return null where values have no components, or too many
   */
  public static CompiledForm compiled(ValueType type, ValueForm form) {
    List<Class<?>> classes = new ArrayList<>();
    int size = visit(form, classes);
    if (classes.isEmpty() || size > MOST_COMPONENTS) {
      return null;
    }
    synchronized (COMPILED) {
      return COMPILED.computeIfAbsent(
          new Key(type, classes), key -> new FormCode(form).define(MethodHandles.lookup()));
    }
  }

  /** Counts components and notes their classes; arrays and maps are not compiled. */
  private static int visit(ValueForm form, List<Class<?>> classes) {
    if (form instanceof ValueForm.Struct struct) {
      classes.add(struct.owner());
      int size = 1;
      for (ValueForm.Part part : struct.parts()) {
        size += visit(part.form(), classes);
      }
      return size;
    } else if (form instanceof ValueForm.Option option) {
      classes.add(scala.Option.class);
      return 1 + visit(option.value(), classes);
    }
    return form instanceof ValueForm.Vector || form instanceof ValueForm.Keyed
        ? MOST_COMPONENTS + 1
        : 1;
  }
}
