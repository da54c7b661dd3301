import type { Lot } from './lots.ts';

export function catalogLines(lots: Lot[]): string[] {
  const sold = lots.filter(({ result }) => result?.winner);
  const best = sold.reduce((top, lot) => (lot.result!.price > top.result!.price ? lot : top), sold[0]!);
  return lots.map((lot) => {
    const mark = lot.name === best.name ? '*' : ' ';
    const leader = lot.bids.at(-1)?.bidder.padEnd(6) ?? 'nobody';
    const state = lot.result!.winner === null ? 'unsold' : `fee ${lot.fee!.toFixed(2)}`;
    return `${mark}${lot.name.padEnd(10)} ${leader} ${lot.result!.price.toFixed()} ${state} ${lot.questions.map((text) => text.split(': ')[1]!.slice(0, 8)).join('|')}`;
  });
}
