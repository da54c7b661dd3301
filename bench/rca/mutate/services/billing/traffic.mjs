import { createApp } from './app.mjs';
import { startRates } from './upstream-rates.mjs';

const rates = await startRates();
const server = createApp({ ratesUrl: rates.url, today: new Date('2025-06-30T12:00:00Z') }).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const send = async (method, path, body) => {
  const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { method, body: body && JSON.stringify(body) });
  return response.ok ? response.json() : {};
};
const one = await send('POST', '/invoices', { customer: { name: 'Nordlys AS', country: 'DE' }, currency: 'NOK', items: [{ text: 'Seats', unit: 1200, quantity: 3 }, { text: 'Book', unit: 900, quantity: 1, rate: 'reduced' }] });
await send('POST', '/invoices', { customer: { name: 'Marée', country: 'FR' }, currency: 'EUR', items: [{ text: 'Seats', unit: 1200, quantity: 1 }] });
await send('POST', `/invoices/${one.number}/payments`, { cents: 2000, on: '2025-07-01' });
await send('GET', `/invoices/${one.number}`);
await send('GET', '/overdue?on=2025-08-01');
await send('GET', '/export.csv');
await send('GET', '/ledger');
server.close();
rates.close();
