package org.sparkgpugraph.runtime.rapids;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;

/**
 * Classes of RAPIDS, as far as they are used, compiled from the sources beside this class. As in
 * its jar those of one Spark are in a folder that only its own loader sees. The plugin is at work
 * in this process until this is closed.
 */
final class FakeRapids implements AutoCloseable {
  private final ClassLoader before = Thread.currentThread().getContextClassLoader();
  private final SparkConf conf = SparkEnv.get().conf();
  private final URLClassLoader root;
  private final URLClassLoader shim;

  private FakeRapids(Path classes) throws Exception {
    root = new URLClassLoader(new URL[] {url(classes.resolve("root"))}, before);
    shim = new URLClassLoader(new URL[] {url(classes.resolve("shim"))}, root);
    set("com.nvidia.spark.rapids.ShimLoader", "shim", shim);
    Class<?> spill = root.loadClass("ai.rapids.cudf.Rmm$Spill");
    set(
        "ai.rapids.cudf.Rmm",
        "spill",
        java.lang.reflect.Proxy.newProxyInstance(
            root,
            new Class<?>[] {spill},
            (proxy, method, arguments) -> spill((Long) arguments[0])));
    Thread.currentThread().setContextClassLoader(root);
    conf.set("spark.plugins", "org.example.Other, " + Rapids.PLUGIN);
  }

  private static URL url(Path folder) throws IOException {
    return folder.toUri().toURL();
  }

  /** Compiles the classes. */
  static Path compile(Path into) throws IOException, URISyntaxException {
    Path sources = Path.of(FakeRapids.class.getResource("plugin").toURI());
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    for (String part : List.of("root", "shim")) {
      Path to = Files.createDirectories(into.resolve(part));
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      try (Stream<Path> files = Files.walk(sources.resolve(part))) {
        List<String> arguments =
            Stream.concat(
                    Stream.of(
                        "-proc:none",
                        "-nowarn",
                        "-d",
                        to.toString(),
                        "-cp",
                        into.resolve("root") + java.io.File.pathSeparator + classPath),
                    files.map(Path::toString).filter(name -> name.endsWith(".java")))
                .toList();
        assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new))).isZero();
      }
    }
    return into;
  }

  /** The plugin starts, with a new pool. */
  static FakeRapids start(Path classes) throws Exception {
    return new FakeRapids(classes);
  }

  Class<?> type(String name) {
    try {
      return shim.loadClass(name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  void set(String type, String field, Object value) {
    try {
      type(type).getField(field).set(null, value);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  Object get(String type, String field) {
    try {
      return type(type).getField(field).get(null);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Bytes that are allocated in the pool, by whomever. */
  long used() {
    return (Long) get("ai.rapids.cudf.Rmm", "used");
  }

  private Object store() {
    return get("com.nvidia.spark.rapids.spill.SpillFramework", "STORE");
  }

  /** Has the spill framework free memory. */
  long spill(long bytes) {
    try {
      return (Long) store().getClass().getMethod("spill", long.class).invoke(store(), bytes);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** A spillable table of the plugin's own. */
  void track(long bytes, LongUnaryOperator spill) {
    Class<?> handle = type("com.nvidia.spark.rapids.spill.DeviceSpillableHandle");
    Object table =
        java.lang.reflect.Proxy.newProxyInstance(
            shim,
            new Class<?>[] {handle},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "approxSizeInBytes" -> bytes;
                  case "spillable" -> true;
                  case "spill" -> spill.applyAsLong(bytes);
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == arguments[0];
                  default -> null;
                });
    try {
      store()
          .getClass()
          .getMethod("track", type("com.nvidia.spark.rapids.spill.StoreHandle"))
          .invoke(store(), table);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** The plugin shuts down, as it does when its executor ends. */
  void shutDown() {
    try {
      store().getClass().getMethod("close").invoke(store());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
    set("ai.rapids.cudf.Rmm", "initialized", false);
  }

  @Override
  public void close() {
    conf.remove("spark.plugins");
    set("ai.rapids.cudf.Rmm", "initialized", false);
    Thread.currentThread().setContextClassLoader(before);
    try {
      shim.close();
      root.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
