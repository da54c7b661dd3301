import Router from '@koa/router';
import Koa from 'koa';
import settings from './settings.json' with { type: 'json' };
import { currencies } from './currencies.mjs';
import { invoices } from './invoices.mjs';
import { ledger } from './ledger.mjs';
import { taxes } from './taxes.mjs';
import { toCsv } from './export.mjs';

export function createApp({ ratesUrl, today }) {
  const books = ledger();
  const registry = invoices({
    settings,
    today,
    books,
    tax: taxes(settings.tax),
    convert: currencies(ratesUrl, settings.rates),
  });
  const router = new Router();

  router.post('/invoices', async (ctx) => {
    const invoice = await registry.create(ctx.state.body);
    ctx.body = { number: invoice.number, total: invoice.total, due: invoice.due.toISOString().slice(0, 10) };
  });
  router.post('/invoices/:number/payments', async (ctx) => {
    ctx.body = registry.pay(ctx.params.number, ctx.state.body);
  });
  router.get('/invoices/:number', async (ctx) => {
    ctx.body = registry.find(ctx.params.number);
  });
  router.get('/overdue', async (ctx) => {
    ctx.body = registry.overdue(new Date(ctx.query.on)).map(({ number, customer }) => `${number} ${customer.name}`);
  });
  router.get('/export.csv', async (ctx) => {
    ctx.body = JSON.stringify(toCsv(registry.all()));
  });
  router.get('/ledger', async (ctx) => {
    ctx.body = books.balance();
  });

  const app = new Koa();
  app.silent = true;
  app.on('error', (error) => console.error('[billing]', error));
  app.use(async (ctx, next) => {
    const chunks = await Array.fromAsync(ctx.req);
    ctx.state.body = chunks.length ? JSON.parse(Buffer.concat(chunks).toString('utf8')) : null;
    await next();
  });
  return app.use(router.routes()).use(router.allowedMethods());
}
