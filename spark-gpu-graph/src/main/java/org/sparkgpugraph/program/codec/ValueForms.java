package org.sparkgpugraph.program.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.ValueType;

/** Finds the classes of a {@link ValueType}, and their components and constructors. */
public final class ValueForms {
  private final ClassLoader loader;
  private int columns;

  private ValueForms(ClassLoader loader) {
    this.loader = loader;
  }

  /**
   * The form of a type.
   *
   * @param loader that finds the classes
   * @throws IllegalArgumentException when a class is not found or does not fit the type
   */
  public static ValueForm of(ValueType type, ClassLoader loader) {
    return new ValueForms(loader).form(type, null, List.of(), "");
  }

  /** The form of a component, whose column is the next. */
  private ValueForm form(ValueType type, Class<?> declared, List<Integer> indexes, String path) {
    if (type instanceof ValueType.Scalar scalar) {
      return new ValueForm.Scalar(scalar.kind(), scalar.kind().box(), columns++, path);
    } else if (type instanceof ValueType.Narrow narrow) {
      return new ValueForm.Scalar(narrow.kind(), narrow.box(), columns++, path);
    } else if (type instanceof ValueType.Unit) {
      return new ValueForm.Unit(columns++, path);
    } else if (type instanceof ValueType.Vector vector) {
      return new ValueForm.Vector(vector, columns++, path);
    } else if (type instanceof ValueType.Keyed keyed) {
      ValueForm form = new ValueForm.Keyed(keyed, columns, path);
      columns += keyed.columns().size();
      return form;
    } else if (type instanceof ValueType.Optional option) {
      int column = columns++;
      return new ValueForm.Option(column, form(option.value(), null, indexes, path), columns, path);
    } else if (type instanceof ValueType.Opaque opaque && !indexes.isEmpty()) {
      List<Integer> from = opaque.origin() == null ? indexes : opaque.origin();
      return new ValueForm.Carried(new CarriedPath(from), path);
    } else if (type instanceof ValueType.Outer) {
      return new ValueForm.Carried(new CarriedPath(indexes), path);
    } else if (type instanceof ValueType.Struct struct) {
      Class<?> owner =
          declared != null && declared.getName().equals(struct.className())
              ? declared
              : load(struct.className());
      try {
        return struct(owner, struct, indexes, path);
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException(
            "class " + owner.getName() + " does not have the form of " + struct + ": " + e, e);
      }
    }
    throw new IllegalArgumentException(
        type.className() + " cannot be taken apart" + (path.isEmpty() ? "" : " (" + path + ")"));
  }

  private Class<?> load(String name) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          "class "
              + name
              + " is not on this JVM's class path: ship its jar with --jars or SparkContext.addJar",
          e);
    }
  }

  private ValueForm struct(
      Class<?> owner, ValueType.Struct struct, List<Integer> indexes, String path)
      throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    List<ValueType.Field> fields = struct.fields();
    Class<?>[] unboxed = unboxed(fields);
    Class<?> special = special(owner, unboxed);
    Class<?>[] declared = new Class<?>[fields.size()];
    List<ValueForm.Part> parts = new ArrayList<>();
    for (int i = 0; i < declared.length; i++) {
      ValueType.Field field = fields.get(i);
      MethodHandle reader = reader(owner, field.name(), lookup);
      declared[i] = reader.type().returnType();
      MethodHandle specialReader = null;
      if (special != null) {
        String name = field.name() + "$mc" + unboxed[i].descriptorString() + "$sp";
        specialReader = ofObject(lookup.unreflect(special.getMethod(name)));
      }
      List<Integer> inside = new ArrayList<>(indexes);
      inside.add(i);
      String name = path.isEmpty() ? field.name() : path + "." + field.name();
      parts.add(
          new ValueForm.Part(
              ofObject(reader), specialReader, form(field.type(), declared[i], inside, name)));
    }
    // Scala makes specialised tuples where it knows the components' types, and so do we: they take
    // half of the memory.
    Constructor<?> maker =
        special == null ? owner.getDeclaredConstructor(declared) : special.getConstructor(unboxed);
    maker.setAccessible(true);
    MethodHandle constructor = lookup.unreflectConstructor(maker);
    return new ValueForm.Struct(owner, List.copyOf(parts), erased(constructor), special, path);
  }

  /** Primitive classes of the components; null for those that are not a number. */
  private static Class<?>[] unboxed(List<ValueType.Field> fields) {
    Class<?>[] unboxed = new Class<?>[fields.size()];
    for (int i = 0; i < unboxed.length; i++) {
      ValueType part = fields.get(i).type();
      unboxed[i] =
          part instanceof ValueType.Scalar scalar
              ? scalar.kind().primitive()
              : part instanceof ValueType.Narrow narrow ? narrow.primitive() : null;
    }
    return unboxed;
  }

  /** The specialised class of a tuple; null where Scala has none. */
  private static Class<?> special(Class<?> owner, Class<?>[] unboxed) {
    if (!StructClass.isTuple(owner)) {
      return null;
    }
    StringBuilder name = new StringBuilder(owner.getName()).append("$mc");
    for (Class<?> component : unboxed) {
      name.append(component == null ? "L" : component.descriptorString());
    }
    try {
      return Class.forName(name.append("$sp").toString(), false, owner.getClassLoader());
    } catch (ClassNotFoundException e) {
      // Only small tuples of some kinds are specialised.
      return null;
    }
  }

  /** A component is read by a method, or, where a case class hides that, from its field. */
  static MethodHandle reader(Class<?> owner, String name, MethodHandles.Lookup lookup)
      throws ReflectiveOperationException {
    if (StructClass.isOfParameters(owner)) {
      Field field = owner.getDeclaredField(name);
      field.setAccessible(true);
      return lookup.unreflectGetter(field);
    }
    Method method = owner.getMethod(name);
    method.setAccessible(true);
    return lookup.unreflect(method);
  }

  /** The same for an Object, with an Object for a reference. */
  private static MethodHandle ofObject(MethodHandle reader) {
    return erased(reader.asType(reader.type().changeParameterType(0, Object.class)));
  }

  private static MethodHandle erased(MethodHandle handle) {
    MethodType erased = handle.type().erase();
    return handle.asType(erased);
  }
}
