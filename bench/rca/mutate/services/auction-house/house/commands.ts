export type Command =
  | { type: 'open'; lot: string; seller: string; reserve: number; endsAt: number }
  | { type: 'bid'; lot: string; bidder: string; amount: number; at: number; max?: number }
  | { type: 'comment'; lot: string; bidder: string; text: string }
  | { type: 'close'; now: number }
  | { type: 'settle'; lot: string }
  | { type: 'statement'; person: string }
  | { type: 'catalog' };

export type Event =
  | { type: 'opened'; lot: string; seller: string; reserve: number; endsAt: number }
  | { type: 'bid'; lot: string; bidder: string; amount: number; max: number }
  | { type: 'extended'; lot: string; endsAt: number }
  | { type: 'commented'; lot: string; bidder: string; words: string[] }
  | { type: 'closed'; lot: string; winner: string | null; price: number }
  | { type: 'settled'; lot: string; fee: number };
