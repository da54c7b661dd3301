import { Refused } from './errors.ts';
import type { Lot } from './lots.ts';

export interface Increment {
  from: number;
  step: number;
}

export function stepAt(increments: Increment[], amount: number): number {
  const found = increments.findLast(({ from }) => amount >= from);
  return found!.step;
}

/** The bids that one bid leads to, as the highest bidder may have left a maximum. */
export function resolveBid(lot: Lot, bid: { bidder: string; amount: number; max: number }, increments: Increment[]) {
  const highest = lot.bids.at(-1);
  if (highest === undefined) return [bid];
  const least = highest.amount + stepAt(increments, highest.amount);
  if (bid.amount < least) throw new Refused(`bid at least ${least}`);
  if (bid.bidder === highest.bidder || highest.max < bid.amount) return [bid];
  const answer = Math.min(highest.max, bid.max + stepAt(increments, bid.max));
  if (answer < bid.amount) throw new RangeError(`${highest.bidder} would answer ${bid.amount} with ${answer}`);
  return [bid, { ...highest, amount: answer }];
}
