package org.sparkgpugraph.runtime.rapids;

/**
 * Finds classes of RAPIDS: those at the root of its jar, and those of the Spark at hand, which its
 * own loader finds in folders of the jar.
 */
final class PluginClasses {
  private static final String SHIM_LOADER = "com.nvidia.spark.rapids.ShimLoader";

  private final ClassLoader root;
  private final ClassLoader shim;

  private PluginClasses(ClassLoader root, ClassLoader shim) {
    this.root = root;
    this.shim = shim;
  }

  /**
   * Those of the jar that the running thread sees, or that this library sees.
   *
   * @throws ReflectiveOperationException when there is none, or its loader is another one than
   *     known
   */
  static PluginClasses find() throws ReflectiveOperationException {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    Class<?> loader;
    try {
      loader = Class.forName(SHIM_LOADER, true, context);
    } catch (ClassNotFoundException e) {
      loader = Class.forName(SHIM_LOADER, true, PluginClasses.class.getClassLoader());
    }
    return of(loader);
  }

  /** Those of the jar that a class at its root is of. */
  static PluginClasses of(Class<?> atRoot) throws ReflectiveOperationException {
    ClassLoader root = atRoot.getClassLoader();
    Class<?> loader = Class.forName(SHIM_LOADER, true, root);
    return new PluginClasses(
        root, (ClassLoader) loader.getMethod("getShimClassLoader").invoke(null));
  }

  /** A class at the root of the jar. */
  Class<?> root(String name) throws ClassNotFoundException {
    return Class.forName(name, true, root);
  }

  /** A class of the Spark at hand. */
  Class<?> shim(String name) throws ClassNotFoundException {
    return Class.forName(name, true, shim);
  }
}
