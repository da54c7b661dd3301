import { accept } from './desk/artwork.ts';
import { hold, release } from './desk/carts.ts';
import { Line } from './desk/line.ts';
import { buy } from './desk/orders.ts';
import { refund } from './desk/refunds.ts';

async function attempt(what: string, work: () => unknown): Promise<void> {
  try {
    console.log(what, await work());
  } catch (error) {
    console.error(`${what} failed`, error);
    process.exitCode = 1;
  }
}

await Promise.all([1, 2, 3, 4].map(() => attempt('buy', () => buy('shirt', 1, 19.9))));
await new Promise((done) => setTimeout(done, 500));
await attempt('buy', () => buy('poster', 2, 8.5));
const line = new Line();
for (const person of 'abcdefghijkl') await attempt('join', () => line.join(person));
await attempt('cart', () => release(hold('poster'), Date.now() + 20_000));
await attempt('refund', () => refund('o-1', 19.9));
await attempt('artwork', () => accept('logo.svg', new Uint8Array(2_500)));
