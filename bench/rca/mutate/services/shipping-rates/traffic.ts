import { startCarriers } from './upstream/carriers.ts';
import { startRates } from './app/main.ts';

const carriers = await startCarriers();
const rates = await startRates(carriers.url);
const post = async (path: string, body: unknown) => {
  const response = await fetch(rates.url + path, { method: 'POST', body: JSON.stringify(body) });
  return response.ok ? await response.json() : [];
};
const parcel = { items: [{ grams: 1200, size: [20, 10, 5] }, { grams: 300, size: [10, 10, 10] }] };
await post('/quotes', { to: { country: 'NO', postcode: '0150' }, ...parcel });
await post('/quotes', { to: { country: 'NO', postcode: '0150' }, ...parcel });
await post('/quotes', { to: { country: 'GR', postcode: '84700' }, items: [{ grams: 12500, size: [60, 40, 40] }] });
await post('/cheapest', { to: { country: 'DE', postcode: '10115' }, ...parcel });
await post('/labels', { to: { country: 'DE', postcode: '10115', name: 'Ada', street: 'Allee 1' }, service: 'swift-express', ...parcel });
await fetch(`${rates.url}/stats`);
rates.close();
carriers.close();
