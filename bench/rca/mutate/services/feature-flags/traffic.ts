import { startFlags } from './flags-server.ts';

const flags = await startFlags();
const get = (path: string) => fetch(flags.url + path).then((response) => response.text());
const put = (path: string, body: unknown) => fetch(flags.url + path, { method: 'PUT', body: JSON.stringify(body) });

await put('/users/u1', { plan: 'team', beta: true, groups: ['staff'] });
await put('/users/u2', { plan: 'free', groups: [] });
await get('/evaluate/u1');
await get('/evaluate/u2');
await put('/flags/dark-mode', { enabled: true, rules: [{ if: { segment: 'staff' }, serve: { value: 'dark' } }], default: { value: 'light' } });
await get('/evaluate/u1');
await put('/flags/banner', { enabled: true, rules: [], default: { value: { text: 'Hello', level: 2 } } });
await get('/evaluate/u2');
await get('/history/dark-mode');
await get('/report');
flags.close();
