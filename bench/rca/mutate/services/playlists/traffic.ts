import { listen } from './server.ts';

const { url, stop } = await listen();
const call = async (method: string, path: string, body?: object): Promise<{ id: number; next: string | null }> => {
  const response = await fetch(url + path, { method, ...(body && { body: JSON.stringify(body) }) });
  return (await response.json().catch(() => ({ id: 0, next: null }))) as { id: number; next: string | null };
};

for (const [title, seconds, artist] of [['Rain', 181, 'Nils'], ['Snow', 240, 'Ólöf'], ['Wind', 95, 'Nils'], ['Fog', 312, null]])
  await call('POST', '/tracks', { title, seconds, artist, tags: ['calm', String(title).toLowerCase()] });
const list = await call('POST', '/playlists', { name: 'Weather', owner: 'ada' });
for (const track of [1, 2, 3, 4]) await call('POST', `/playlists/${list.id}/tracks`, { track });
await call('POST', `/playlists/${list.id}/move`, { from: 3, to: 0 });
const page = await call('GET', `/playlists/${list.id}?limit=2`);
await call('GET', `/playlists/${list.id}?limit=2&cursor=${page.next}`);
await call('GET', `/playlists/${list.id}/summary`);
await call('GET', '/search?tag=calm');
await call('POST', `/playlists/${list.id}/copy`, { owner: 'bo' });
await call('GET', '/owners/bo');
stop();
