package dev.slipway.testbed;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A proxy between clients and a real PostgreSQL. It parses enough of the protocol to recognise each
 * writing transaction, and simulates faults: it cuts connections, refuses them, delays, freezes,
 * and pauses right before or right after a commit, when the database has committed and the client
 * does not know yet.
 */
public final class PostgresProxy implements AutoCloseable {
  private static final int BACKLOG = 200;

  private final InetSocketAddress target;
  private final ServerSocket listener;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final Set<Link> telling = ConcurrentHashMap.newKeySet();
  private final AtomicLong numbers = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition thawed = lock.newCondition();
  private CommitWatch watch = CommitWatch.NONE;
  private volatile Duration delay = Duration.ZERO;
  private volatile boolean away;
  private boolean frozen;

  /** A proxy for the PostgreSQL at that port of this machine. */
  public PostgresProxy(int port) {
    this.target = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try {
      this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().name("postgres proxy").start(this::accept);
  }

  /** A proxy for the server of that database. */
  public static PostgresProxy of(TestDatabase database) {
    return new PostgresProxy(
        Integer.parseInt(
            database.jdbcUrl().replaceAll("^jdbc:postgresql://[^:]*:(\\d+)/.*", "$1")));
  }

  /** The same database through this proxy. */
  public TestDatabase through(TestDatabase database) {
    return new TestDatabase(
        database.jdbcUrl().replaceAll(":\\d+/", ":" + listener.getLocalPort() + "/"),
        database.user(),
        database.password());
  }

  /**
   * Sets the watcher of commits. A watcher that was called before a commit is also called after it,
   * even if it was replaced meanwhile.
   */
  public void watch(CommitWatch watcher) {
    lock.lock();
    try {
      watch = watcher;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether no watcher call is running or pending. Once this is true and no watcher is set, no
   * watcher is called any more.
   */
  public boolean isQuiet() {
    return telling.isEmpty();
  }

  /** Cuts all connections; accepts new ones. */
  public void cut() {
    links.forEach(Link::close);
  }

  /**
   * Cuts the client side: messages that a watcher holds still reach the database, and the clients
   * do not learn the outcome.
   */
  public void orphan() {
    links.forEach(Link::orphan);
  }

  /** Cuts all connections and refuses new ones. */
  public void goAway() {
    away = true;
    cut();
  }

  /** Accepts connections again. */
  public void comeBack() {
    away = false;
  }

  /** Delays each message to the database by this much from now on. */
  public void slow(Duration each) {
    delay = each;
  }

  /** Stops forwarding, while connections stay open. */
  public void freeze() {
    lock.lock();
    try {
      frozen = true;
    } finally {
      lock.unlock();
    }
  }

  /** Resumes forwarding. */
  public void thaw() {
    lock.lock();
    try {
      frozen = false;
      thawed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    thaw();
    try {
      listener.close();
    } catch (IOException e) {
      // closed already
    }
    cut();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (away) {
          client.close();
        } else {
          new Link(client).start();
        }
      } catch (IOException e) {
        // closed, or a client that has disconnected
      }
    }
  }

  private void hold() throws InterruptedException {
    if (!delay.isZero()) {
      TimeUnit.NANOSECONDS.sleep(delay.toNanos());
    }
    lock.lockInterruptibly();
    try {
      while (frozen) {
        thawed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A client connection and its connection to the database. */
  private final class Link {
    private final Socket client;
    private final Socket server = new Socket();
    private final ClientMessages messages = new ClientMessages();
    private final AtomicInteger rows = new AtomicInteger();
    private final AtomicInteger pumps = new AtomicInteger(1);
    private volatile @Nullable Transaction committing;
    private volatile CommitWatch watcher = CommitWatch.NONE;
    private volatile boolean orphaned;

    Link(Socket client) {
      this.client = client;
    }

    void start() {
      links.add(this);
      if (away) { // accepted meanwhile: a cut of all connections may have missed this one
        close();
        return;
      }
      Thread.ofVirtual().name("to postgres").start(() -> pump(this::toServer));
    }

    private interface Pump {
      void run() throws IOException, InterruptedException;
    }

    private void pump(Pump pump) {
      try {
        pump.run();
      } catch (IOException | Cut e) {
        // one side is closed, or is to be: so is the other
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        close();
        if (pumps.decrementAndGet() == 0) {
          telling.remove(this); // a commit whose outcome is not reported
        }
      }
    }

    private void toServer() throws IOException, InterruptedException {
      server.connect(target);
      server.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(client.getInputStream());
      OutputStream out = server.getOutputStream();
      greet(in, out);
      pumps.incrementAndGet();
      Thread.ofVirtual().name("from postgres").start(() -> pump(this::toClient));
      ByteArrayOutputStream held = new ByteArrayOutputStream();
      int executed = 0;
      while (true) {
        int type = in.readUnsignedByte();
        byte[] body = body(in);
        ClientMessages.write(held, type, body);
        messages.read(type, body);
        if (ClientMessages.executes(type) && !messages.commits()) {
          executed = held.size();
        }
        if (ClientMessages.endsTurn(type)) {
          hold();
          if (messages.begins()) {
            rows.set(0);
          }
          messages.commit().ifPresent(this::beforeCommit);
          forward(held.toByteArray(), executed, out);
          held.reset();
          executed = 0;
        }
      }
    }

    /**
     * The first {@code executed} bytes are statements that precede the commit in the same message
     * batch.
     */
    private void forward(byte[] turn, int executed, OutputStream out) throws IOException {
      Transaction transaction = committing;
      int sent = 0;
      if (transaction != null && watcher.cutsIn() && executed > 0) {
        out.write(turn, 0, executed);
        out.flush();
        sent = executed;
        watcher.between(transaction);
      }
      out.write(turn, sent, turn.length - sent);
      out.flush();
    }

    private void beforeCommit(List<String> statements) {
      Transaction transaction =
          new Transaction(
              numbers.incrementAndGet(),
              statements,
              messages.writesAtLast() ? OptionalInt.empty() : OptionalInt.of(rows.get()));
      lock.lock();
      try {
        watcher = watch;
        if (watcher != CommitWatch.NONE) {
          telling.add(this);
        }
      } finally {
        lock.unlock();
      }
      watcher.before(transaction);
      committing = transaction;
    }

    private void afterCommit(Transaction transaction) {
      committing = null;
      watcher.after(transaction);
      telling.remove(this);
    }

    /** Handles the startup: declines encryption requests, forwards the startup message. */
    private void greet(DataInputStream in, OutputStream out) throws IOException {
      byte[] first = body(in);
      while (ClientMessages.asksForEncryption(first)) {
        client.getOutputStream().write('N');
        first = body(in);
      }
      ClientMessages.writeUntyped(out, first);
      out.flush();
    }

    private void toClient() throws IOException, InterruptedException {
      DataInputStream in = new DataInputStream(server.getInputStream());
      OutputStream out = new BufferedOutputStream(client.getOutputStream());
      ByteArrayOutputStream held = new ByteArrayOutputStream();
      while (true) {
        int type = in.readUnsignedByte();
        byte[] body = body(in);
        ClientMessages.write(held, type, body);
        rows.addAndGet(ClientMessages.rows(type, body));
        Transaction committed = committing;
        boolean ready = type == ClientMessages.READY;
        if (committed != null && ready) {
          afterCommit(committed);
        }
        if (orphaned && ready) {
          throw new Cut();
        }
        if (committed == null || ready) {
          held.writeTo(out);
          held.reset();
          if (in.available() == 0) {
            out.flush();
          }
        }
      }
    }

    private static byte[] body(DataInputStream in) throws IOException {
      byte[] body = new byte[in.readInt() - Integer.BYTES];
      in.readFully(body);
      return body;
    }

    void orphan() {
      orphaned = true;
      close(client);
    }

    void close() {
      links.remove(this);
      close(client);
      if (!orphaned
          || committing == null) { // otherwise the answer is read before the connection is closed
        close(server);
      }
    }

    private static void close(Socket socket) {
      try {
        socket.close();
      } catch (IOException e) {
        // gone already
      }
    }
  }

  /** Thrown by a watcher: cuts the connection of that transaction only. */
  public static final class Cut extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    public Cut() {
      super("cut", null, false, false);
    }
  }

  /**
   * A writing transaction.
   *
   * @param rows the number of rows its statements affected; unknown when one of them is sent
   *     together with the commit, because its count arrives with the commit's
   */
  public record Transaction(long number, List<String> statements, OptionalInt rows) {}

  /**
   * Called for each writing transaction: right before the database may commit it, and when the
   * database has committed (or refused) and the client does not know yet. The connection is paused
   * until the call returns.
   */
  public interface CommitWatch {
    /** Watches nothing. */
    CommitWatch NONE = new CommitWatch() {};

    /** Signals that a commit has arrived, and holds it until it may go on. */
    static CommitWatch holding(CountDownLatch come, CountDownLatch goOn) {
      return new CommitWatch() {
        @Override
        public void before(Transaction transaction) {
          come.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        }
      };
    }

    /** Called before the database receives the commit. */
    default void before(Transaction transaction) {}

    /** Whether {@link #between} is to be called. */
    default boolean cutsIn() {
      return false;
    }

    /**
     * Called when the database has received the statements that were sent together with the commit,
     * and executes them, but has not received the commit.
     */
    default void between(Transaction transaction) {}

    /** Called before the client learns that the database has committed. */
    default void after(Transaction transaction) {}
  }
}
