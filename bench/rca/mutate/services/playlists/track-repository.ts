import type { DatabaseSync } from 'node:sqlite';

export interface Track {
  id: number;
  title: string;
  artist: string | null;
  seconds: number;
  tags: string[];
}

type Row = Omit<Track, 'tags'> & { tags: string };

export type TrackRepository = ReturnType<typeof trackRepository>;

export function trackRepository(db: DatabaseSync) {
  const insert = db.prepare('insert into tracks (title, artist, seconds, tags) values (?, ?, ?, ?)');
  const byId = db.prepare('select * from tracks where id = ?');
  const byTag = db.prepare('select * from tracks where tags like ? order by title');
  const fromRow = (row: Row): Track => ({ ...row, tags: JSON.parse(row.tags) as string[] });

  return {
    insert({ title, artist, seconds, tags }: Omit<Track, 'id'>): { id: number } {
      const { lastInsertRowid } = insert.run(title, artist, seconds, JSON.stringify(tags));
      return { id: Number(lastInsertRowid) };
    },
    find(id: number): Track {
      const row = byId.get(id) as unknown as Row | undefined;
      if (!row) throw new Error(`track ${id} does not exist`);
      return fromRow(row);
    },
    withTag: (tag: string): Track[] => byTag.all(`%"${tag}"%`).map((row) => fromRow(row as unknown as Row)),
  };
}
