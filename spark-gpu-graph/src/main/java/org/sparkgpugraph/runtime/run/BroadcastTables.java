package org.sparkgpugraph.runtime.run;

import java.io.Serializable;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.sparkgpugraph.program.ProgramInstance;
import scala.reflect.ClassTag$;

/**
 * Tables of a program that an executor fetches once, when it reads them first, whatever tasks it is
 * given and how often.
 */
final class BroadcastTables extends AbstractList<Object> implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Tables that take less go with each task: Spark warns of tasks that are larger. */
  private static final long LEAST_BYTES = 512 << 10;

  private final ArrayList<Broadcast<Object>> tables;

  private BroadcastTables(ArrayList<Broadcast<Object>> tables) {
    this.tables = tables;
  }

  /** Whether the tables of a program are worth it. */
  static boolean isFor(ProgramInstance instance) {
    return instance.tableBytes() >= LEAST_BYTES;
  }

  /** Broadcasts tables. */
  static BroadcastTables of(SparkContext sc, List<Object> tables) {
    ArrayList<Broadcast<Object>> all = new ArrayList<>();
    BroadcastTables made = new BroadcastTables(all);
    try {
      // One by one: serializers know arrays of primitives without being told.
      tables.forEach(t -> all.add(sc.broadcast(t, ClassTag$.MODULE$.apply(t.getClass()))));
    } catch (RuntimeException | Error e) {
      made.free();
      throw e;
    }
    return made;
  }

  @Override
  public Object get(int index) {
    return tables.get(index).value();
  }

  @Override
  public int size() {
    return tables.size();
  }

  /** Frees them, on all executors. */
  void free() {
    tables.forEach(Broadcast::destroy);
  }
}
