package dev.slipway.engine.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.value.Values;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackupRuleTest {
  private static Object params(String yaml) {
    return Document.parse("p", yaml, Limits.DEFAULT, new Diagnostics()).orElseThrow().plain();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{backup: false} | backup",
        "{backups: 'false'} | backups",
        "{backup: 'Off'} | backup",
        "{backups: 'no'} | backups",
        "{backup: none} | backup",
        "{backup: 0} | backup",
        "{backup: 0.0} | backup",
        "{backup: null} | backup",
        "{backup: ' FALSE '} | backup",
        "{Backup: false} | Backup",
        "{backup_enabled: false} | backup_enabled",
        "{enableBackups: 'off'} | enableBackups",
        "{disableBackup: true} | disableBackup",
        "{backup: {enabled: false, days: 7}} | backup",
        "{backup: {enabled: 'off'}} | backup",
        "{backups: {disabled: true}} | backups",
        "{storage: {backup: false}} | storage.backup",
        "{disks: [{size: 1}, {backups: 'off'}]} | disks[1].backups",
      })
  void it_is_found_wherever_it_is_and_however_it_is_written(String yaml, String where) {
    assertThat(BackupRule.turnedOff(Values.map(params(yaml))))
        .hasSize(1)
        .first()
        .asString()
        .isEqualTo(where);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{backup: true}",
        "{backups: 'on'}",
        "{backup: {enabled: true}}",
        "{backup: {schedule: daily}}",
        "{backup: nightly}",
        "{disableBackup: false}",
        "{back_up_plan: none}",
        "{size: 0, public: false}",
        "{backups: []}"
      })
  void everything_else_is_left_alone(String yaml) {
    assertThat(BackupRule.turnedOff(Values.map(params(yaml)))).isEmpty();
  }
}
