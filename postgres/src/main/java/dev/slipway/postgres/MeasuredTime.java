package dev.slipway.postgres;

import java.time.Instant;

/** The database's time at one value of the timer. */
record MeasuredTime(Instant at, long nanoTime) {
  static MeasuredTime of(DatabaseClock.Answer answer) {
    return new MeasuredTime(answer.at(), answer.asked() + (answer.came() - answer.asked()) / 2);
  }

  Instant carriedTo(long nanoTime) {
    return at.plusNanos(nanoTime - this.nanoTime);
  }

  /** This time, moved into the bounds of the reply when it is outside. */
  MeasuredTime corrected(DatabaseClock.Answer answer) {
    Instant believed = carriedTo(answer.came());
    Instant earliest = answer.at();
    Instant latest = answer.at().plus(answer.took());
    return believed.isBefore(earliest)
        ? new MeasuredTime(earliest, answer.came())
        : believed.isAfter(latest) ? new MeasuredTime(latest, answer.came()) : this;
  }
}
