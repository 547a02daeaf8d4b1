package org.sparkgpugraph.integration;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/**
 * A YARN cluster of one node in a JVM of its own, with the configuration that lies in {@code conf/}.
 * It runs until its standard input ends, so it cannot outlive the test that started it.
 *
 * <p>Arguments: the folder {@code conf/}; the folder of the node's {@code nvidia-smi}; the folder to
 * write the clients' configuration to, {@code yarn-site.xml} last. The JVM's working directory gets
 * the folder {@code target/gpu} with the node's files; {@code resource-types.xml} must be on its
 * class path.
 */
final class MiniYarnJob {
  private MiniYarnJob() {}

  /** Starts the cluster. */
  public static void main(String[] arguments) throws Exception {
    YarnConfiguration conf = new YarnConfiguration();
    for (String file : new String[] {"yarn-node-manager.xml", "yarn-capacity-scheduler.xml"}) {
      conf.addResource(Path.of(arguments[0], file).toUri().toURL());
    }
    conf.set(YarnConfiguration.NM_GPU_PATH_TO_EXEC, arguments[1]);
    conf.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    conf.set(YarnConfiguration.NM_VMEM_CHECK_ENABLED, "false");
    conf.set(YarnConfiguration.NM_PMEM_CHECK_ENABLED, "false");
    // Logs stay where the test finds them.
    conf.set(YarnConfiguration.NM_LOG_RETAIN_SECONDS, "86400");
    conf.set(YarnConfiguration.DEBUG_NM_DELETE_DELAY_SEC, "0");
    // Spark brings its own jars.
    conf.set(YarnConfiguration.YARN_APPLICATION_CLASSPATH, "");
    String root = "yarn.scheduler.capacity.root.";
    conf.set(root + "queues", "default");
    conf.set(root + "default.capacity", "100");
    conf.set(root + "default.maximum-am-resource-percent", "1.0");
    try (MiniYARNCluster cluster = new MiniYARNCluster("gpu", 1, 1, 1)) {
      cluster.init(conf);
      cluster.start();
      if (!cluster.waitForNodeManagersToConnect(30_000)) {
        throw new IllegalStateException("the node manager did not connect in 30 s");
      }
      write(cluster.getConfig(), Path.of(arguments[2]));
      while (System.in.read() >= 0) {
        continue;
      }
    }
    // YARN leaves threads behind that are no daemons.
    System.exit(0);
  }

  private static void write(Configuration conf, Path folder) throws IOException {
    for (String name : new String[] {"core-site.xml", "yarn-site.xml"}) {
      Path unfinished = folder.resolve(name + ".tmp");
      try (OutputStream out = Files.newOutputStream(unfinished)) {
        conf.writeXml(out);
      }
      Files.move(unfinished, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
