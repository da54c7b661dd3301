import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './database.ts';
import { describe } from './duration.ts';
import type { TrackRepository } from './track-repository.ts';

interface Entry {
  track: number;
  position: number;
}

export function playlistService(db: DatabaseSync, tracks: TrackRepository) {
  const addEntry = db.prepare('insert into entries (playlist, track, position) values (?, ?, ?)');
  const entriesOf = db.prepare('select track, position from entries where playlist = ? order by position');
  const find = db.prepare('select id, name, owner from playlists where id = ?');
  const clear = db.prepare('delete from entries where playlist = ?');

  const entries = (id: number) => entriesOf.all(id) as unknown as Entry[];

  function create(name: string, owner: string): { id: number } {
    const { lastInsertRowid } = db.prepare('insert into playlists (name, owner) values (:name, :owner)').run({ name, owner });
    return { id: Number(lastInsertRowid) };
  }

  function append(id: number, track: number): { position: number } {
    const { title } = tracks.find(track);
    const last = entries(id).at(-1);
    const position = last === undefined ? 0 : last.position + 1;
    addEntry.run(id, track, position);
    console.log(title.padEnd(10), position);
    return { position };
  }

  function move(id: number, from: number, to: number): { order: number[] } {
    return inTransaction(db, () => {
      const order = entries(id).map(({ track }) => track);
      const [moved] = order.splice(from, 1);
      order.splice(to, 0, moved!);
      clear.run(id);
      for (const [position, track] of order.entries()) addEntry.run(id, track, position);
      return { order };
    });
  }

  function page(id: number, after: number, limit: number) {
    const rest = entries(id).filter(({ position }) => position > after);
    return rest.slice(0, limit).map(({ track, position }) => ({ position, title: tracks.find(track).title.trim() }));
  }

  function summary(id: number) {
    const list = entries(id).map(({ track }) => tracks.find(track));
    const artists = new Set(list.flatMap(({ artist }) => (artist === null ? [] : [artist.toLowerCase()])));
    const longest = list.reduce((best, track) => (track.seconds > best.seconds ? track : best));
    return { length: describe(list.map(({ seconds }) => seconds)), artists: artists.size, longest: longest.title };
  }

  function copy(id: number, owner: string): { id: number } {
    const { name } = find.get(id) as { name: string };
    const made = create(`${name} (copy)`, owner);
    for (const { track } of entries(id)) append(made.id, track);
    return made;
  }

  const ofOwner = (owner: string) =>
    (db.prepare('select id, name from playlists where owner = ?').all(owner) as { id: number; name: string }[]).map((row) => ({ ...row, entries: entries(row.id) }));

  return { create, append, move, page, summary, copy, ofOwner };
}
