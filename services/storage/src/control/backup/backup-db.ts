/** Everything in the database, as rows. */
export interface BackupStore {
  /** Everything in the database as it is at one moment, whatever is written meanwhile; a reader may take its time. */
  exportRows(): AsyncIterable<BackupRow>;
  /**
   * Writes what {@link exportRows} read, from either kind of database, all or nothing; investigations that had not
   * ended are asked for again. Rejects with `WHENCE_ERR_CONTROL_NOT_EMPTY` when there is anything already, and with
   * `WHENCE_ERR_BACKUP_UNREADABLE` when the rows are of a newer release, or no backup.
   */
  importRows(rows: AsyncIterable<BackupRow> | Iterable<BackupRow>): Promise<void>;
}

/** All that a scope has, as rows. */
export interface ExportScope {
  /**
   * All that the scope has, table by table, a parent before its parts: inputs of analyses unpacked, credentials and keys
   * by their names alone.
   */
  exportRows(): AsyncIterable<BackupRow>;
}

/** One row of a backup. The first ones name the migrations that the database had seen. */
export interface BackupRow {
  readonly table: string;
  readonly row: Readonly<Record<string, string | number | null>>;
}
