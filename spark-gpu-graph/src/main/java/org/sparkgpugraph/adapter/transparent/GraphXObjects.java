package org.sparkgpugraph.adapter.transparent;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.graphx.Graph;

/** Has GraphX's objects ask the hook, each before anybody has used it. */
final class GraphXObjects {
  private GraphXObjects() {}

  /**
   * Changes the classes of the objects that do not ask yet.
   *
   * @param asking the objects that ask; those that do from now on are added
   * @return the objects that cannot, each with the reason
   */
  static Map<String, String> install(Set<String> asking) {
    Map<String, String> without = new LinkedHashMap<>();
    for (String object : GraphXCall.objects()) {
      if (asking.contains(object)) {
        continue;
      }
      try {
        define(object);
        asking.add(object);
      } catch (LinkageError e) {
        without.put(object, "it was in use before");
      } catch (IOException | ReflectiveOperationException | IllegalArgumentException e) {
        without.put(object, e.toString());
      }
    }
    return without;
  }

  private static void define(String object) throws IOException, ReflectiveOperationException {
    String name = GraphXCall.className(object);
    // The class with the object's static methods is its neighbour, and does not load it.
    Class<?> neighbour =
        Class.forName(name.substring(0, name.length() - 1), false, Graph.class.getClassLoader());
    MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(neighbour, MethodHandles.lookup());
    lookup.defineClass(HookInsertion.into(original(name), object));
  }

  private static byte[] original(String className) throws IOException {
    String file = className.replace('.', '/') + ".class";
    try (InputStream in = Graph.class.getClassLoader().getResourceAsStream(file)) {
      if (in == null) {
        throw new FileNotFoundException(file + " is not among Spark's jars");
      }
      return in.readAllBytes();
    }
  }
}
