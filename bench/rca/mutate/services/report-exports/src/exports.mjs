import { record } from './audit.mjs';
import { customerCount, customerNames } from './customers.mjs';
import { orderTotals } from './orders.mjs';

export async function exportReport(kind, region) {
  await record(kind);
  if (kind === 'orders') return { totals: await orderTotals() };
  if (kind === 'count') return { customers: await customerCount() };
  return { names: await customerNames(region) };
}
