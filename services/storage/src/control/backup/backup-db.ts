/** Everything in the database, as rows. */
export interface BackupStore {
  /** Reads everything in the database as of one moment, even if the reader takes long. */
  exportRows(): AsyncIterable<BackupRow>;
  /**
   * Writes the rows of {@link exportRows}, of either kind of database, in one transaction, and queues unfinished
   * investigations again. Rejects with `WHENCE_ERR_CONTROL_NOT_EMPTY` when the database holds anything, and with
   * `WHENCE_ERR_BACKUP_UNREADABLE` when the rows come from a newer release or aren't a backup.
   */
  importRows(rows: AsyncIterable<BackupRow> | Iterable<BackupRow>): Promise<void>;
}

/** Everything that a scope owns, as rows. */
export interface ExportScope {
  /**
   * Reads everything that the scope owns, table by table, parents first: inputs of analyses uncompressed, credentials
   * and keys by name only.
   */
  exportRows(): AsyncIterable<BackupRow>;
}

/** One row of a backup. The first ones name the migrations that the database had seen. */
export interface BackupRow {
  readonly table: string;
  readonly row: Readonly<Record<string, string | number | null>>;
}
