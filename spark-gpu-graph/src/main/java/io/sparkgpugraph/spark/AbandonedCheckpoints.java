package io.sparkgpugraph.spark;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.spark.SparkEnv;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes checkpoints of a driver that was killed: it cannot do so itself, but its executors end
 * with it, and the one that ends looks whether the driver is still there. (An executor that ends
 * for another reason leaves the checkpoint alone: the run goes on from it.) Should the driver only
 * have been out of reach, it starts again from superstep 0. Thread-safe.
 */
final class AbandonedCheckpoints implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(AbandonedCheckpoints.class);
  private static final int PATIENCE_MILLIS = 2000;

  /** Before Hadoop closes its file systems. */
  private static final int PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY + 10;

  /** More than the runs of an executor that are going on at a time. */
  private static final int REMEMBERED = 64;

  private static AbandonedCheckpoints instance;

  private final Set<Path> folders = new LinkedHashSet<>();
  private final String host;
  private final int port;
  private final Configuration configuration;

  private AbandonedCheckpoints(String host, int port, Configuration configuration) {
    this.host = host;
    this.port = port;
    this.configuration = configuration;
  }

  /**
   * Watches over the folder of a run that this executor has written to.
   *
   * @param configuration of its file system
   */
  static synchronized void watch(Path folder, Configuration configuration) {
    SparkEnv env = SparkEnv.get();
    if (env == null || env.executorId().equals("driver")) {
      return;
    }
    if (instance == null) {
      instance =
          new AbandonedCheckpoints(
              env.conf().get("spark.driver.host"),
              env.conf().getInt("spark.driver.port", 0),
              configuration);
      ShutdownHookManager.get().addShutdownHook(instance, PRIORITY);
    }
    instance.add(folder);
  }

  private synchronized void add(Path folder) {
    if (folders.add(folder) && folders.size() > REMEMBERED) {
      Iterator<Path> oldest = folders.iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /** The executor ends. */
  @Override
  public synchronized void run() {
    if (driverLives()) {
      return;
    }
    for (Path folder : folders) {
      try {
        if (folder.getFileSystem(configuration).delete(folder, true)) {
          LOG.info("the driver is gone; removed its checkpoints in {}", folder);
        }
      } catch (IOException e) {
        LOG.warn("the driver is gone, but its checkpoints in {} could not be removed", folder, e);
      }
    }
  }

  private boolean driverLives() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
      return true;
    } catch (IOException e) {
      LOG.debug("the driver does not listen on {}:{} any more", host, port, e);
      return false;
    }
  }
}
