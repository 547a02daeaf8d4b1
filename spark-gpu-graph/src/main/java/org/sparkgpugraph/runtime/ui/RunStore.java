package org.sparkgpugraph.runtime.ui;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.util.kvstore.KVStore;
import org.apache.spark.util.kvstore.KVStoreIterator;
import org.sparkgpugraph.runtime.report.RunAccount;
import org.sparkgpugraph.runtime.report.RunHead;

/** The runs of an application in the store of its UI. Thread-safe. */
final class RunStore {
  private final KVStore store;

  RunStore(KVStore store) {
    this.store = store;
  }

  /** Whether there is nothing to show. */
  boolean isEmpty() {
    return call(() -> store.count(StoredRun.class)) == 0;
  }

  /** All runs, the newest first. */
  List<RunHead> runs() {
    return call(
        () -> {
          List<RunHead> heads = new ArrayList<>();
          try (KVStoreIterator<StoredRun> all =
              store.view(StoredRun.class).reverse().closeableIterator()) {
            all.forEachRemaining(run -> heads.add(run.head));
          }
          return heads;
        });
  }

  /**
   * A run.
   *
   * @return null when there is none of this number
   */
  RunAccount run(long id) {
    return call(
        () -> {
          try {
            return store.read(StoredAccount.class, id).account;
          } catch (NoSuchElementException e) {
            return null;
          }
        });
  }

  /** Keeps what is known of a run by now. */
  void write(RunAccount run) {
    call(
        () -> {
          store.write(new StoredAccount(run));
          store.write(new StoredRun(run.head()));
          return null;
        });
  }

  /** Forgets a run. */
  void delete(long id) {
    call(
        () -> {
          store.delete(StoredRun.class, id);
          store.delete(StoredAccount.class, id);
          return null;
        });
  }

  private interface Access<T> {
    T run() throws Exception;
  }

  private static <T> T call(Access<T> access) {
    try {
      return access.run();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("the store of Spark's UI failed: " + e, e);
    }
  }
}
