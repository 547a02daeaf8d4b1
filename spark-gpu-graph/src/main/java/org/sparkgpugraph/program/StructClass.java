package org.sparkgpugraph.program;

import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The fields that make up an immutable class whose objects are taken apart: a Java record, a Scala
 * tuple, a Scala case class, or another class of a user that only keeps primitives.
 *
 * <p>Objects of a case class that is defined within another class, or in a line of Spark's shell,
 * have one component more, the first: {@link #OUTER}, the object that they were made in.
 *
 * @param type the class
 * @param names field names, in the order of the constructor
 * @param types field types
 */
public record StructClass(Class<?> type, List<String> names, List<Class<?>> types) {
  /** The component that refers to the object around a case class. */
  public static final String OUTER = "$outer";

  private static final String TUPLE = "scala.Tuple";

  /** Classes are looked at once each: it takes reflection over all their members. */
  private static final ClassValue<Optional<StructClass>> CASE_CLASSES =
      new ClassValue<>() {
        @Override
        protected Optional<StructClass> computeValue(Class<?> type) {
          return Optional.ofNullable(caseClass(type));
        }
      };

  public StructClass {
    names = List.copyOf(names);
    types = List.copyOf(types);
  }

  /** Whether objects of a class can be taken apart. */
  public static boolean isStruct(Class<?> type) {
    return type.isRecord() || isTuple(type) || isOfParameters(type);
  }

  /** Whether this is a Scala tuple, or one of its specialised subclasses. */
  public static boolean isTuple(Class<?> type) {
    return type.getName().startsWith(TUPLE);
  }

  /**
   * Whether this is a Scala case class whose parameters are all that its objects consist of: none
   * is a {@code var}, and there is no further field, neither in its body nor in a superclass, but
   * for the object around it, of which it makes no use ({@link OuterUse}); or another serializable
   * class of that form whose parameters are primitives.
   */
  public static boolean isOfParameters(Class<?> type) {
    return CASE_CLASSES.get(type).isPresent();
  }

  /**
   * The layout of a record, tuple or case class.
   *
   * @throws IllegalArgumentException for another class
   */
  public static StructClass of(Class<?> type) {
    if (isTuple(type)) {
      // Tuple2$mcJD$sp and its like are Tuple2 with unboxed fields.
      Class<?> plain = type.getSuperclass() == Object.class ? type : type.getSuperclass();
      int size = Integer.parseInt(plain.getName().substring(TUPLE.length()));
      List<String> names = IntStream.rangeClosed(1, size).mapToObj(i -> "_" + i).toList();
      return new StructClass(plain, names, Collections.nCopies(size, Object.class));
    } else if (!type.isRecord()) {
      return CASE_CLASSES
          .get(type)
          .orElseThrow(() -> new IllegalArgumentException(type + " is not a case class"));
    }
    RecordComponent[] components = type.getRecordComponents();
    return new StructClass(
        type,
        Arrays.stream(components).map(RecordComponent::getName).toList(),
        Arrays.stream(components).<Class<?>>map(RecordComponent::getType).toList());
  }

  /** The layout of a case class; null when it is none, or consists of more than its parameters. */
  private static StructClass caseClass(Class<?> type) {
    boolean isProduct =
        Stream.of(type.getInterfaces()).anyMatch(itf -> itf.getName().equals("scala.Product"));
    if (!isProduct && !isPlain(type) || type.getName().startsWith("scala.")) {
      return null;
    }
    for (Class<?> above = type.getSuperclass(); above != null; above = above.getSuperclass()) {
      if (instanceFields(above).findAny().isPresent()) {
        return null;
      }
    }
    List<Field> fields = new ArrayList<>(instanceFields(type).toList());
    int last = fields.size() - 1;
    boolean isInner = last > 0 && fields.get(last).getName().equals(OUTER);
    if (isInner) {
      fields.add(0, fields.remove(last));
    }
    Class<?>[] types = fields.stream().map(Field::getType).toArray(Class<?>[]::new);
    boolean immutable = fields.stream().allMatch(field -> Modifier.isFinal(field.getModifiers()));
    boolean made =
        Stream.of(type.getDeclaredConstructors())
            .map(Constructor::getParameterTypes)
            .anyMatch(parameters -> Arrays.equals(parameters, types));
    boolean others =
        fields.stream().skip(isInner ? 1 : 0).anyMatch(field -> field.getName().startsWith("$"));
    return fields.isEmpty()
            || !immutable
            || !made
            || others
            || isInner && !OuterUse.onlyHandsOn(type, types[0])
        ? null
        : new StructClass(type, fields.stream().map(Field::getName).toList(), List.of(types));
  }

  /**
   * Whether this is a class of a user that only keeps the primitives that its one constructor is
   * given.
   */
  private static boolean isPlain(Class<?> type) {
    List<Field> fields = instanceFields(type).toList();
    return Serializable.class.isAssignableFrom(type)
        && !Throwable.class.isAssignableFrom(type)
        && !Modifier.isAbstract(type.getModifiers())
        && !type.isEnum()
        && !type.isHidden()
        && !type.getName().matches("(java|javax|jdk|sun|org\\.apache\\.spark)\\..*")
        && fields.stream()
            .allMatch(field -> field.getType().isPrimitive() && Kind.of(field.getType()) != null)
        && StoringConstructor.isThatOf(type, fields.stream().map(Field::getName).toList());
  }

  /** In the order of the class file, which is that of the constructor's parameters. */
  private static Stream<Field> instanceFields(Class<?> type) {
    return Stream.of(type.getDeclaredFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()));
  }

  /** Whether a component is the object that a value was made in. */
  public boolean isOuter(int index) {
    return names.get(index).equals(OUTER);
  }

  public int size() {
    return names.size();
  }

  /** Index of a field, or −1. */
  public int indexOf(String field) {
    return names.indexOf(field);
  }

  /** Reads one field of an object. */
  public Object read(Object object, int index) throws ReflectiveOperationException {
    if (isTuple(type)) {
      return type.getMethod(names.get(index)).invoke(object);
    }
    Field field = type.getDeclaredField(names.get(index));
    field.setAccessible(true);
    return field.get(object);
  }
}
