import type { Event } from './commands.ts';

export interface Lot {
  name: string;
  seller: string;
  reserve: number;
  endsAt: number;
  bids: { bidder: string; amount: number; max: number }[];
  questions: string[];
  result: { winner: string | null; price: number } | null;
  fee: number | null;
}

export type Lots = ReadonlyMap<string, Lot>;

export function reduceLots(lots: Lots, event: Event): Lots {
  const next = new Map(lots);
  if (event.type === 'opened') {
    const { lot: name, seller, reserve, endsAt } = event;
    return next.set(name, { name, seller, reserve, endsAt, bids: [], questions: [], result: null, fee: null });
  }
  const lot = lots.get(event.lot)!;
  return next.set(event.lot, { ...lot, ...changesOf(lot, event) });
}

function changesOf(lot: Lot, event: Exclude<Event, { type: 'opened' }>): Partial<Lot> {
  switch (event.type) {
    case 'bid':
      return { bids: [...lot.bids, { bidder: event.bidder, amount: event.amount, max: event.max }] };
    case 'extended':
      return { endsAt: event.endsAt };
    case 'commented':
      return { questions: [...lot.questions, `${event.bidder}: ${event.words.join(' ')}`] };
    case 'closed':
      return { result: { winner: event.winner, price: event.price } };
    case 'settled':
      return { fee: event.fee };
  }
}
