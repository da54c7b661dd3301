import type { Carrier } from './settings.ts';

export interface Offer {
  carrier: string;
  service: string;
  price: number;
  days: number;
}

interface NordpostAnswer {
  quotes: { product: string; price: { amount: number; currency: string }; days: { min: number; max: number } }[];
}

interface SwiftAnswer {
  data: { rates: Record<string, { total: string; eta: number }>; warnings: string[] };
}

const readers: Record<string, (answer: unknown) => Omit<Offer, 'carrier'>[]> = {
  nordpost: (answer) =>
    (answer as NordpostAnswer).quotes.map(({ product, price, days }) => ({ service: product, price: price.amount, days: days.max })),
  swift: (answer) => {
    const { rates, warnings } = (answer as SwiftAnswer).data;
    for (const warning of warnings) console.log(warning.toLowerCase());
    return Object.entries(rates).map(([service, { total, eta }]) => ({ service, price: Number.parseFloat(total), days: eta }));
  },
};

export async function fetchOffers(base: string, carrier: Carrier, query: URLSearchParams): Promise<Offer[]> {
  const response = await fetch(`${base}${carrier.path}?${query}`, { signal: AbortSignal.timeout(carrier.timeoutMs) });
  const read = readers[carrier.name]!;
  return read(await response.json()).map((offer) => ({ ...offer, carrier: carrier.name }));
}
