import { start } from './server.mjs';

const server = await start();
const base = `http://127.0.0.1:${server.address().port}`;

async function call(method, path, body) {
  const response = await fetch(base + path, { method, body: body && JSON.stringify(body) });
  console.log(method, path, response.status, await response.text());
}

await call('POST', '/b1/rent', { rider: 'ann' });
await call('POST', '/b9/rent', { rider: 'ann' });
await call('POST', '/b2/rent', { rider: 'zoe' });
await call('POST', '/b1/rent', { rider: 'bob' });
await call('POST', '/b1/return', { minutes: 70, dock: 'east' });
await call('POST', '/b1/return', { minutes: 5, dock: 'east' });
await call('POST', '/b7/return', { minutes: 5, dock: 'east' });
await call('POST', '/b2/repair', { parts: ['bell', 'chain'] });
await call('POST', '/b2/repair', {});
await call('POST', '/b8/repair', { parts: ['bell'] });
await call('GET', '/ann/rides');
await call('GET', '/zoe/rides');
server.close();
