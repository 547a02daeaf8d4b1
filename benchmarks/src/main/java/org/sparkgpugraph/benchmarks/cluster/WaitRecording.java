package org.sparkgpugraph.benchmarks.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.runtime.cluster.Executors;
import org.sparkgpugraph.runtime.cluster.PinnedRdd;

/**
 * Records by the JDK's flight recorder, in the driver and in every executor, when threads wait, for
 * however short, and when they read and write files. Threads of Netty wait in native code, which it
 * does not see.
 */
final class WaitRecording {
  private static final String MARK = "sparkgpugraph.SuperstepEnded";
  private static final Set<String> WAITS =
      Set.of("jdk.ThreadPark", "jdk.JavaMonitorWait", "jdk.JavaMonitorEnter", "jdk.ThreadSleep");
  private static final Set<String> FILES = Set.of("jdk.FileRead", "jdk.FileWrite");
  private static final int MOST_FRAMES = 64;

  /** Methods that wait for others, which say nothing of what for. */
  private static final Set<String> GENERIC =
      Set.of("EventLoop", "RpcEndpointRef", "RpcTimeout", "SparkThreadUtils", "ThreadUtils");

  /**
   * Threads that wait in native code most of the time, so that what they seem to do between two
   * waits says nothing, and those that tell listeners, for whom nothing waits.
   */
  private static final Pattern OTHERS =
      Pattern.compile("(rpc|shuffle)-(server|client|boss).*|spark-listener.*|.*JFR.*");

  /** Of this process; null: none runs. */
  private static Recording running;

  /** The driver's clock at the end of a superstep. */
  @Name(MARK)
  @StackTrace(false)
  private static final class SuperstepEnded extends Event {}

  /**
   * What was recorded.
   *
   * @param waits of all threads, in no order
   * @param ends of supersteps, ascending, in nanoseconds since 1970
   */
  record Recorded(List<ThreadWait> waits, List<Long> ends) {}

  private WaitRecording() {}

  /** To be called on the driver when a superstep has ended. */
  static void superstepEnded() {
    new SuperstepEnded().commit();
  }

  /** Begins, everywhere. */
  static void start(JavaSparkContext sc) {
    PinnedRdd.of(sc.sc(), Executors.living(sc.sc()), shard -> begin()).collect();
    begin();
  }

  /** Ends everywhere, and brings what was recorded. */
  static Recorded stop(JavaSparkContext sc) {
    List<Long> ends = new ArrayList<>();
    List<ThreadWait> waits = new ArrayList<>(end(ends));
    for (ArrayList<ThreadWait> there :
        PinnedRdd.of(sc.sc(), Executors.living(sc.sc()), shard -> end(new ArrayList<>()))
            .collect()) {
      waits.addAll(there);
    }
    ends.sort(null);
    return new Recorded(waits, ends);
  }

  private static synchronized boolean begin() {
    if (running != null) {
      return false;
    }
    running = new Recording();
    for (String name : WAITS) {
      running.enable(name).withThreshold(Duration.ZERO).withStackTrace();
    }
    for (String name : FILES) {
      running.enable(name).withThreshold(Duration.ZERO).withStackTrace();
    }
    running.enable(MARK);
    running.start();
    return true;
  }

  private static synchronized ArrayList<ThreadWait> end(List<Long> ends) {
    ArrayList<ThreadWait> waits = new ArrayList<>();
    if (running == null) {
      return waits;
    }
    Path file = null;
    try (Recording ended = running) {
      running = null;
      ended.stop();
      file = Files.createTempFile("waits", ".jfr");
      ended.dump(file);
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        if (event.getEventType().getName().equals(MARK)) {
          ends.add(nanos(event.getStartTime()));
        } else if (event.getThread() != null
            && !OTHERS.matcher(String.valueOf(event.getThread().getJavaName())).matches()) {
          waits.add(wait(event));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the flight recording cannot be read", e);
    } finally {
      delete(file);
    }
    return waits;
  }

  private static void delete(Path file) {
    try {
      if (file != null) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("removing " + file, e);
    }
  }

  private static ThreadWait wait(RecordedEvent event) {
    String kind = event.getEventType().getName();
    long bytes = 0;
    if (FILES.contains(kind)) {
      bytes = Math.max(1, event.getLong(kind.endsWith("Read") ? "bytesRead" : "bytesWritten"));
    }
    String name = String.valueOf(event.getThread().getJavaName());
    return new ThreadWait(
        SparkEnv.get().executorId(),
        event.getThread().getJavaThreadId(),
        name.replaceAll("( for task)?[-# ]*[0-9].*", ""),
        nanos(event.getStartTime()),
        nanos(event.getEndTime()),
        where(event.getStackTrace()),
        bytes);
  }

  private static long nanos(Instant instant) {
    return instant.getEpochSecond() * 1_000_000_000 + instant.getNano();
  }

  /** The innermost method of Spark or of the library that tells something. */
  private static String where(RecordedStackTrace stack) {
    if (stack == null) {
      return "idle";
    }
    for (RecordedFrame frame :
        stack.getFrames().subList(0, Math.min(MOST_FRAMES, stack.getFrames().size()))) {
      String type = frame.getMethod().getType().getName();
      String simple = type.substring(type.lastIndexOf('.') + 1).replaceAll("\\$.*", "");
      if (type.matches("org\\.(apache\\.spark|sparkgpugraph)\\..*") && !GENERIC.contains(simple)) {
        return simple + "." + method(frame.getMethod().getName());
      }
    }
    return "idle";
  }

  /** As it stands in the source, if it is a part of a method of Scala or Java. */
  private static String method(String compiled) {
    String[] parts = compiled.split("\\$+");
    for (String part : parts) {
      if (!part.isEmpty() && !part.equals("anonfun") && !part.equals("lambda")) {
        return part;
      }
    }
    return compiled;
  }
}
