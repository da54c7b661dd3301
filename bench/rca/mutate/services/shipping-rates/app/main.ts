import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadSettings } from './settings.ts';
import { Quotes } from './quotes.ts';
import { printLabel } from './label.ts';
import { measure, type Parcel } from './parcel.ts';

export const startRates = async (carriersUrl: string) => {
  const settings = loadSettings();
  const quotes = new Quotes(carriersUrl, settings);

  const actions: Record<string, (body: Parcel) => Promise<unknown>> = {
    '/quotes': (body) => quotes.all(body),
    '/cheapest': async (body) => (await quotes.all(body)).toSorted((a, b) => a.price - b.price)[0],
    '/labels': async (body) => {
      const offers = await quotes.all(body);
      const chosen = offers.find((offer) => `${offer.carrier}-${offer.service}` === body.service);
      return { label: printLabel(body.to, measure(body), chosen!) };
    },
    '/stats': async () => quotes.stats(),
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      try {
        const action = actions[request.url ?? '']!;
        const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
        response.end(JSON.stringify(await action(body)));
      } catch (error) {
        console.error('error while answering', request.url, error);
        response.statusCode = 500;
        response.end('{}');
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
};
