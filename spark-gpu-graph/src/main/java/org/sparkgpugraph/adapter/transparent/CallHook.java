package org.sparkgpugraph.adapter.transparent;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.apache.spark.SparkContext;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.EdgeTriplet;
import org.apache.spark.graphx.Graph;
import org.apache.spark.rdd.RDD;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.adapter.fallback.StockGraphX;
import org.sparkgpugraph.adapter.run.ScalaPregel;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunOptions.Fallback;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import scala.Function1;
import scala.Function2;
import scala.Function3;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/**
 * What GraphX's objects ask: runs a call on the engines, or on GraphX's own code where the
 * configuration, or the call, is not for them. What goes to GraphX runs there as a whole: a Pregel
 * inside of it is not taken over. A call that fails here runs there again, which either succeeds or
 * gives GraphX's own error, unless {@code spark.gpugraph.fallback=never}.
 */
final class CallHook implements Function<Object[], Object> {
  private static final Logger LOG = LoggerFactory.getLogger(CallHook.class);

  private final LibraryCalls library;

  CallHook(LibraryCalls library) {
    this.library = library;
  }

  /**
   * Answers a method of GraphX.
   *
   * @param call the object's name, the method's name and descriptor, the object, the arguments
   * @return the method's result; null: its own code is to run
   */
  @Override
  public Object apply(Object[] call) {
    Object[] arguments = Arrays.copyOfRange(call, HookInsertion.HEAD, call.length);
    SparkContext sc = StockGraphX.isRunning() ? null : context(arguments[0]);
    if (sc == null) {
      return null;
    }
    GpuGraphConf conf = GpuGraphConf.of(sc);
    if (!conf.get(GpuGraphConf.TRANSPARENT)) {
      return null;
    }
    String method = (String) call[1];
    GraphXCall which = GraphXCall.of((String) call[0], method);
    String name = call[0] + "." + method;
    Callable<Object> own = () -> own(call);
    if (!conf.get(which.key())) {
      LOG.info("{} runs on stock GraphX: {} is false", name, which.key());
      return StockGraphX.call(own);
    }
    if (RunConf.of(sc, RunOptions.DEFAULT).asksForStock()) {
      LOG.info("{} runs on stock GraphX: engine or fallback says so", name);
      return StockGraphX.call(own);
    }
    long fallbacks = StockGraphX.calls();
    try {
      Object result =
          which == GraphXCall.PREGEL ? pregel(arguments) : library.run(which, method, arguments);
      if (result != null) {
        LOG.info(
            "{} ran on {}",
            name,
            StockGraphX.calls() == fallbacks ? "spark-gpu-graph" : "stock GraphX; see above");
        return result;
      }
      LOG.info("{} runs on stock GraphX: it is not among what runs on spark-gpu-graph", name);
    } catch (Exception | LinkageError | StackOverflowError e) {
      if (conf.get(GpuGraphConf.FALLBACK) == Fallback.NEVER || wasEnded(sc, e)) {
        throw e;
      }
      LOG.warn("{} runs on stock GraphX, because spark-gpu-graph did not: {}", name, e.toString());
      LOG.debug("What went wrong", e);
    }
    return StockGraphX.call(own);
  }

  /** Whether somebody wanted it to end: it is not begun again then. */
  private static boolean wasEnded(SparkContext sc, Throwable thrown) {
    if (sc.isStopped() || Thread.currentThread().isInterrupted()) {
      return true;
    }
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      String message = String.valueOf(t.getMessage());
      if (t instanceof InterruptedException || message.contains("cancelled")) {
        return true;
      }
    }
    return false;
  }

  private static SparkContext context(Object input) {
    if (input instanceof Graph<?, ?> graph) {
      return graph.vertices().sparkContext();
    }
    return input instanceof RDD<?> rdd ? rdd.sparkContext() : null;
  }

  /** Calls the same method again, whose hook is silent this time. */
  private static Object own(Object[] call) throws Exception {
    Class<?> type = call[3].getClass();
    MethodType signature =
        MethodType.fromMethodDescriptorString((String) call[2], type.getClassLoader());
    MethodHandle method =
        MethodHandles.publicLookup().findVirtual(type, (String) call[1], signature);
    try {
      return method.invokeWithArguments(Arrays.copyOfRange(call, 3, call.length));
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("unchecked") // the types of Pregel.apply
  private static <V, E, A> Graph<V, E> pregel(Object[] arguments) {
    return ScalaPregel.run(
        (Graph<V, E>) arguments[0],
        (A) arguments[1],
        (Integer) arguments[2],
        (EdgeDirection) arguments[3],
        (Function3<Object, V, A, V>) arguments[4],
        (Function1<EdgeTriplet<V, E>, Iterator<Tuple2<Object, A>>>) arguments[5],
        (Function2<A, A, A>) arguments[6],
        (ClassTag<V>) arguments[7],
        (ClassTag<E>) arguments[8],
        (ClassTag<A>) arguments[9]);
  }
}
