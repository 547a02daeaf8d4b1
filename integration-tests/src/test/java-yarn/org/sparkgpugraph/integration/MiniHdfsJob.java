package org.sparkgpugraph.integration;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/**
 * An HDFS of one node in a JVM of its own. It runs until its standard input ends, so it cannot
 * outlive the test that started it.
 *
 * <p>Arguments: the folder of its files; the file to write its address to.
 */
final class MiniHdfsJob {
  private MiniHdfsJob() {}

  /** Starts it. */
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new Configuration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, arguments[0]);
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(1).build()) {
      cluster.waitActive();
      Path address = Path.of(arguments[1]);
      Path unfinished = address.resolveSibling(address.getFileName() + ".tmp");
      Files.writeString(unfinished, cluster.getURI().toString());
      Files.move(unfinished, address, StandardCopyOption.ATOMIC_MOVE);
      while (System.in.read() >= 0) {
        continue;
      }
    }
    System.exit(0);
  }
}
