import { startPayments } from './upstream/payments.mjs';
import { startOrders } from './src/server.mjs';

const payments = await startPayments();
const orders = await startOrders({ paymentsUrl: payments.url });
const call = async (method, path, body) => {
  const response = await fetch(orders.url + path, { method, body: body && JSON.stringify(body) });
  return response.json().catch(() => ({}));
};

const first = await call('POST', '/orders', { customer: 'c-1', country: 'DE', code: 'SPRING', lines: [{ sku: 'mug', count: 2 }, { sku: 'lamp', count: 1 }] });
const second = await call('POST', '/orders', { customer: 'c-1', country: 'NO', lines: [{ sku: 'desk', count: 1 }] });
await call('POST', '/orders', { customer: 'c-2', country: 'FR', lines: [{ sku: 'mug', count: 3 }] });
await call('POST', `/orders/${first.id}/pay`, { card: '4242' });
await call('POST', `/orders/${second.id}/pay`, { card: '4000' });
await call('GET', `/orders/${first.id}`);
await call('GET', '/customers/c-1/orders?page=1');
await call('GET', '/customers/c-1/orders?page=2');
await call('GET', `/orders/${first.id}/receipt`);
await call('GET', '/report');
orders.close();
payments.close();
