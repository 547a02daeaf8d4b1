package org.sparkgpugraph.adapter.transparent;

import java.util.Map;
import java.util.ServiceLoader;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;

/**
 * Switches transparent mode on for a context whose configuration asks for it. Whatever goes wrong
 * leaves stock GraphX and one warning.
 */
public final class TransparentMode {
  private static final Logger LOG = LoggerFactory.getLogger(TransparentMode.class);

  private TransparentMode() {}

  /**
   * Called when a context starts, before the application has it.
   *
   * @return whether {@link #stop} is to be called when it ends
   */
  public static synchronized boolean start(SparkContext sc) {
    try {
      GpuGraphConf conf = GpuGraphConf.of(sc);
      if (!conf.get(GpuGraphConf.TRANSPARENT)) {
        return false;
      }
      HookClass hook = HookClass.ofGraphX();
      Map<String, String> without = GraphXObjects.install(hook.objects());
      hook.set(new CallHook(library()));
      if (!without.isEmpty()) {
        LOG.warn(
            "transparent mode: these stay stock GraphX: {}; set {} and spark.plugins before the"
                + " first SparkContext of the JVM",
            without,
            GpuGraphConf.TRANSPARENT);
      }
      if (without.size() < GraphXCall.objects().size()) {
        LOG.info(
            "transparent mode is on: these calls of org.apache.spark.graphx run on spark-gpu-graph:"
                + " {}; switched off: {}",
            GraphXCall.list(conf, true),
            GraphXCall.list(conf, false));
      }
      return true;
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.warn("transparent mode cannot be switched on; stock GraphX runs: {}", e.toString());
      return false;
    }
  }

  /** Called when a context ends: nothing of this library is held any longer. */
  public static synchronized void stop() {
    try {
      HookClass.ofGraphX().set(null);
    } catch (ReflectiveOperationException | LinkageError e) {
      LOG.debug("There was no hook", e);
    }
  }

  private static LibraryCalls library() {
    return ServiceLoader.load(LibraryCalls.class, TransparentMode.class.getClassLoader())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the jar has lost its META-INF/services"));
  }
}
