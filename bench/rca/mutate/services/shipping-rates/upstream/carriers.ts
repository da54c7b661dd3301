import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Two carriers behind one address, each with an answer of its own shape. */
export function startCarriers(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://carriers');
    const kg = Number(url.searchParams.get('kg'));
    if (url.pathname.startsWith('/nordpost')) {
      const quote = {
        quotes: [
          { product: 'parcel', price: { amount: 6 + kg, currency: 'EUR' }, days: { min: 2, max: 4 } },
          { product: 'letter', price: { amount: 3 + kg * 2, currency: 'EUR' }, days: { min: 4, max: 7 } },
        ],
        validUntil: '2025-12-31T00:00:00Z',
      };
      return response.end(JSON.stringify(quote));
    }
    const rates = { data: { rates: { express: { total: '14.90', eta: 1 }, standard: { total: '7.20', eta: 3 } }, warnings: [] } };
    return response.end(JSON.stringify(rates));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }));
  });
}
