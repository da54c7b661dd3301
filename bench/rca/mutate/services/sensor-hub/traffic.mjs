import { startHub } from './hub.mjs';

const hub = await startHub();
const at = Date.UTC(2025, 0, 1);
const line = (sensor, seconds, value) => Buffer.from(`${sensor} ${at + seconds * 1000} ${value}\n`);
const write = (...lines) => fetch(`${hub.url}/readings`, { method: 'POST', body: Buffer.concat(lines) });
const read = (path) => fetch(hub.url + path).then((response) => response.text());

await write(line('t-1', 1, 21.5), line('t-1', 20, 22), line('h-1', 21, 40));
await write(line('t-2', 30, 68), line('t-1', 70, 31.25), line('t-1', 75, 33));
await write(line('t-1', 130, 20), line('h-1', 131, 44), line('t-2', 190, 50));
await read('/rooms/lab');
await read('/rooms/roof');
await read('/sensors/t-1/history');
await read('/alerts');
await read('/rooms/lab/trend');
hub.close();
