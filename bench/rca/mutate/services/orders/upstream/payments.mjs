import { createServer } from 'node:http';

const cards = { 4242: { brand: 'visa', declined: false }, 4000: { brand: 'amex', declined: true } };

/** The payment provider: charges a card and answers with what was charged. */
export function startPayments() {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { card, cents, reference } = JSON.parse(Buffer.concat(chunks).toString());
    const known = cards[card];
    const body = {
      id: `ch_${reference}`,
      status: known.declined ? 'declined' : 'captured',
      amount: { value: cents, currency: 'EUR' },
      card: { brand: known.brand, last4: card.slice(-4) },
      fees: [{ kind: 'fixed', cents: 25 }, { kind: 'percent', cents: Math.round(cents * 0.014) }],
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({ url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() });
    });
  });
}
