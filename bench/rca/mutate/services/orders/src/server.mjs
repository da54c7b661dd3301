import { createServer } from 'node:http';
import { loadConfig } from './settings.mjs';
import { OrderStore } from './order-store.mjs';
import { PaymentsClient } from './payments-client.mjs';
import { Pricing } from './pricing.mjs';
import { receipt } from './receipt.mjs';

export async function startOrders({ paymentsUrl }) {
  const config = loadConfig();
  const store = new OrderStore(config.pageSize);
  const pricing = new Pricing(config);
  const payments = new PaymentsClient(paymentsUrl, config.payments);

  const routes = [
    ['POST', /^\/orders$/, async (_, body) => store.add({ ...body, price: pricing.priceOf(body) })],
    ['POST', /^\/orders\/(\w+)\/pay$/, async ([id], { card }) => pay(id, card)],
    ['GET', /^\/orders\/(\w+)$/, async ([id]) => store.get(id)],
    ['GET', /^\/orders\/(\w+)\/receipt$/, async ([id]) => ({ text: receipt(store.get(id), config.payments.currency) })],
    ['GET', /^\/customers\/([\w-]+)\/orders$/, async ([customer], _, query) => store.page(customer, Number(query.get('page')))],
    ['GET', /^\/report$/, async () => store.report()],
  ];

  async function pay(id, card) {
    const order = store.get(id);
    const charge = await payments.charge(order, card);
    order.status = charge.status === 'captured' ? 'paid' : 'open';
    order.charge = charge;
    return { status: order.status, fees: charge.fees.reduce((sum, fee) => sum + fee.cents, 0) };
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    try {
      const [, pattern, handler] = routes.find(([method, path]) => method === request.method && path.test(pathname));
      const [, ...parameters] = pattern.exec(pathname);
      const answer = await handler(parameters, await readBody(request), searchParams);
      response.end(JSON.stringify(answer));
    } catch (error) {
      console.error(`${request.method} ${pathname} failed`);
      console.error(error);
      response.writeHead(500).end('{}');
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

async function readBody(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? undefined : JSON.parse(text);
}
