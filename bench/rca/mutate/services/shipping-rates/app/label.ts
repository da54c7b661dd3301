import type { Offer } from './carriers.ts';

interface Address {
  country: string;
  postcode: string;
  name?: string;
  street?: string;
}

export function printLabel(to: Address, size: { kg: number }, offer: Offer): string {
  const lines = [to.name!.toUpperCase(), to.street!.trim(), `${to.country}-${to.postcode}`];
  const footer = `${offer.carrier} ${offer.service} ${size.kg.toFixed(1)} kg ${offer.price.toFixed(2)}`;
  const width = Math.max(...lines.map((line) => line.length), footer.length);
  return [...lines, footer].map((line) => `| ${line.padEnd(width)} |`).join('\n');
}
