import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { connect } from './database.ts';
import { playlistService } from './playlist-service.ts';
import { trackRepository } from './track-repository.ts';

type Body = Record<string, never>;
type Handler = (id: number, body: Body, query: URLSearchParams) => unknown;

export async function listen() {
  const db = connect();
  const tracks = trackRepository(db);
  const playlists = playlistService(db, tracks);

  const handlers: Record<string, Handler> = {
    'POST tracks': (_, body) => tracks.insert(body),
    'GET search': (_, __, query) => tracks.withTag(query.get('tag')!).map((track) => track.title.toUpperCase()),
    'POST playlists': (_, body) => playlists.create(body['name'], body['owner']),
    'POST playlists tracks': (id, body) => playlists.append(id, body['track']),
    'POST playlists move': (id, { from, to }) => playlists.move(id, from, to),
    'POST playlists copy': (id, { owner }) => playlists.copy(id, owner),
    'GET playlists summary': (id) => playlists.summary(id),
    'GET owners': (_, __, query) => playlists.ofOwner(query.get('owner')!).map((each) => ({ name: each.name, tracks: each.entries.length })),
    'GET playlists': (id, _, query) => {
      const limit = Number(query.get('limit') ?? 50);
      const after = query.has('cursor') ? decodeCursor(query.get('cursor')!) : -1;
      const entries = playlists.page(id, after, limit);
      return { items: entries, next: entries.length === limit ? encodeCursor(entries.at(-1)!.position) : null };
    },
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://playlists');
    const [kind, id, action] = pathname.slice(1).split('/');
    if (kind === 'owners') searchParams.set('owner', id!);
    try {
      const handler = handlers[[request.method, kind, action].filter(Boolean).join(' ')];
      if (handler === undefined) throw new Error(`nothing handles ${request.method} ${pathname}`);
      const text = (await Array.fromAsync(request)).join('');
      response.end(JSON.stringify(handler(Number(id), text ? JSON.parse(text) : {}, searchParams)));
    } catch (error) {
      console.error('%s %s\n%s', request.method, pathname, (error as Error).stack);
      response.writeHead(500).end('{}');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.close();
    db.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
