import { build } from './app.mjs';

const app = await build();
const send = async (method, url, payload) => {
  const response = await app.inject({ method, url, ...(payload ? { payload } : {}) });
  return response.statusCode < 300 ? response.json() : {};
};
const a = await send('POST', '/tickets', { subject: 'Crash on start', text: 'It shows an error', from: 'ada@example.org', priority: 'urgent' });
const b = await send('POST', '/tickets', { subject: 'Refund', text: 'Wrong invoice #12', from: 'bo@example.org' });
await send('POST', '/tickets', { subject: 'Hello', text: 'Nothing special', from: 'ada@example.org', priority: 'low' });
await send('POST', `/tickets/${a.id}/comments`, { author: 'cy', text: 'Looking into it, see @ada', minutes: 90 });
await send('POST', `/tickets/${a.id}/comments`, { author: 'ada', text: 'thanks', minutes: 400 });
await send('POST', `/tickets/${b.id}/close`, { by: 'cy', minutes: 60 });
await send('GET', `/tickets/${a.id}`);
await send('GET', '/queue/tech?now=600');
await send('GET', '/queue/billing?now=600');
await send('GET', '/people/ada@example.org');
await send('GET', '/stats');
await app.close();
