package dev.slipway.postgres.events;

import dev.slipway.engine.graph.Event;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.CommitTail;
import dev.slipway.postgres.RootColumn;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Appends events in the order given, with the statements of the commit. */
record EventInsert(List<Event> events) implements CommitTail.Statements {
  @Override
  public String sql() {
    return EventLog.INSERT;
  }

  @Override
  public int bind(Connection connection, PreparedStatement insert, int first) throws SQLException {
    int next = first;
    insert.setArray(next++, texts(connection, Event::type));
    insert.setArray(next++, texts(connection, e -> RootColumn.text(e.root())));
    insert.setArray(next++, texts(connection, Event::environment));
    insert.setArray(next++, texts(connection, Event::team));
    insert.setArray(next++, texts(connection, Event::source));
    insert.setArray(
        next++,
        connection.createArrayOf(
            "timestamptz", events.stream().map(e -> e.at().atOffset(ZoneOffset.UTC)).toArray()));
    insert.setArray(next++, texts(connection, e -> Json.write(e.data())));
    return next;
  }

  private Array texts(Connection connection, Function<Event, @Nullable String> part)
      throws SQLException {
    return connection.createArrayOf("text", events.stream().map(part).toArray());
  }
}
