package org.sparkgpugraph.runtime.ui;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.apache.spark.util.kvstore.KVStore;
import org.apache.spark.util.kvstore.KVStoreIterator;
import org.sparkgpugraph.runtime.report.Accounts;
import org.sparkgpugraph.runtime.report.Refusal;
import org.sparkgpugraph.runtime.report.RunAccount;
import org.sparkgpugraph.runtime.report.RunHead;

/** The runs of an application in the store of its UI. Thread-safe. */
final class RunStore implements Accounts.Shelf {
  private final KVStore store;

  RunStore(KVStore store) {
    this.store = store;
  }

  /** Whether there is nothing to show. */
  boolean isEmpty() {
    return call(() -> store.count(StoredRun.class) + store.count(StoredRefusal.class)) == 0;
  }

  /** All runs, the newest first. */
  List<RunHead> runs() {
    return newest(StoredRun.class, run -> run.head);
  }

  /** All refused programs, the newest first. */
  List<Refusal> refusals() {
    return newest(StoredRefusal.class, stored -> stored.refusal);
  }

  private <S, T> List<T> newest(Class<S> type, Function<S, T> content) {
    return call(
        () -> {
          List<T> found = new ArrayList<>();
          try (KVStoreIterator<S> all = store.view(type).reverse().closeableIterator()) {
            all.forEachRemaining(stored -> found.add(content.apply(stored)));
          }
          return found;
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

  @Override
  public void put(RunAccount run) {
    call(
        () -> {
          store.write(new StoredAccount(run));
          store.write(new StoredRun(run.head()));
          return null;
        });
  }

  @Override
  public void remove(long run) {
    call(
        () -> {
          store.delete(StoredRun.class, run);
          store.delete(StoredAccount.class, run);
          return null;
        });
  }

  @Override
  public void put(Refusal refusal) {
    call(
        () -> {
          store.write(new StoredRefusal(refusal));
          return null;
        });
  }

  @Override
  public void removeRefusal(long refusal) {
    call(
        () -> {
          store.delete(StoredRefusal.class, refusal);
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
