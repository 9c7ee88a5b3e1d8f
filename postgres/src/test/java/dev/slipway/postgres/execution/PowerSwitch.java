package dev.slipway.postgres.execution;

import dev.slipway.engine.execute.RunStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Takes a replica's store away at one moment: no call begins after it. */
final class PowerSwitch {
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean off;

  /** Waits for the calls that have begun. */
  void off() {
    lock.writeLock().lock();
    off = true;
    lock.writeLock().unlock();
  }

  RunStore before(RunStore store) {
    return (RunStore)
        Proxy.newProxyInstance(
            RunStore.class.getClassLoader(),
            new Class<?>[] {RunStore.class},
            (proxy, method, arguments) -> call(store, method, arguments));
  }

  private Object call(RunStore store, Method method, Object[] arguments) throws Throwable {
    lock.readLock().lock();
    try {
      if (off) {
        throw new IllegalStateException("the machine of this replica has no power");
      }
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    } finally {
      lock.readLock().unlock();
    }
  }
}
