import { findProduct } from './catalog.mjs';

export function receipt(order, currency) {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const money = (cents) => format.format(cents / 100);
  const lines = order.lines.map(({ sku, count }) => {
    const { title, cents } = findProduct(sku);
    return `${String(count).padStart(3)} ${title.padEnd(20)} ${money(cents * count)}`;
  });
  const { brand, last4 } = order.charge.card;
  return [...lines, `Total ${money(order.charge.amount.value)}`, `${brand.toUpperCase()} ****${last4}`].join('\n');
}
