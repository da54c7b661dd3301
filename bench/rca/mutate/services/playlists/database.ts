import { DatabaseSync } from 'node:sqlite';

const migrations = [
  'create table tracks (id integer primary key, title text not null, artist text, seconds integer not null check (seconds > 0), tags text not null)',
  'create table playlists (id integer primary key, name text not null, owner text not null)',
  'create table entries (playlist integer not null references playlists, track integer not null references tracks, position integer not null)',
];

export function connect(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  for (const sql of migrations) db.exec(sql);
  return db;
}

export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('begin');
  let done = false;
  try {
    const result = work();
    db.exec('commit');
    done = true;
    return result;
  } finally {
    if (!done) db.exec('rollback');
  }
}
