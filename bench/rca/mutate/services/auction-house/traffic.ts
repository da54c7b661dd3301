import { AuctionHouse } from './house/auction-house.ts';
import { reportErrors } from './house/errors.ts';

const house = new AuctionHouse({ increments: [{ from: 0, step: 5 }, { from: 100, step: 10 }, { from: 1000, step: 50 }], feePercent: 12 });
const run = reportErrors((command) => house.execute(command));

run({ type: 'open', lot: 'vase', seller: 'sam', reserve: 80, endsAt: 100 });
run({ type: 'open', lot: 'map', seller: 'tess', reserve: 500, endsAt: 90 });
run({ type: 'bid', lot: 'vase', bidder: 'ada', amount: 50, at: 10, max: 140 });
run({ type: 'bid', lot: 'vase', bidder: 'bo', amount: 60, at: 20 });
run({ type: 'bid', lot: 'vase', bidder: 'bo', amount: 145, at: 95 });
run({ type: 'bid', lot: 'map', bidder: 'ada', amount: 100, at: 30 });
run({ type: 'comment', lot: 'map', bidder: 'cy', text: 'Is it *old*?' });
run({ type: 'close', now: 99 });
run({ type: 'close', now: 130 });
run({ type: 'settle', lot: 'vase' });
run({ type: 'statement', person: 'bo' });
run({ type: 'statement', person: 'sam' });
run({ type: 'catalog' });
house.verify();
