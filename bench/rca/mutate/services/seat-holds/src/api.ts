import { readFile } from 'node:fs/promises';
import { Pool } from './pool.ts';
import { Seating } from './seating.ts';
import { Holds } from './holds.ts';
import { billFor } from './bill.ts';

interface Request {
  venue?: string;
  seats?: string[];
  customer?: string;
  hold?: string | undefined;
}

class Conflict extends Error {}

export async function open(clock: () => number) {
  const config = JSON.parse(await readFile(new URL('../pool.json', import.meta.url), 'utf8'));
  const pool = new Pool(config.pool, () => new Seating(config.venues));
  const holds = new Holds(pool, config.holdMinutes, clock);

  const commands: Record<string, (request: Request) => Promise<never>> = {
    async hold({ venue, seats, customer }) {
      const taken = await holds.taken(venue!, seats!);
      if (taken.length > 0) throw new Conflict(`${taken.map((seat) => seat.toUpperCase()).join()} taken`);
      return holds.add(venue!, seats!, customer!);
    },
    confirm: ({ hold }) => holds.confirm(hold!),
    release: ({ customer }) => holds.releaseOf(customer!),
    async bill({ customer }) {
      const sold = holds.soldTo(customer!);
      return billFor(sold, config.prices);
    },
    map: ({ venue }) => holds.map(venue!),
    async sold({ venue }) {
      const rows = await holds.map(venue!);
      return rows.map((row: string) => row.split('').filter((mark) => mark === '#').length);
    },
  };

  return {
    async send(name: string, request: Request): Promise<{ id: string } | undefined> {
      try {
        return await commands[name]!(request);
      } catch (error) {
        if (!(error instanceof Conflict)) console.error(`${name} ${JSON.stringify(request)}:`, error);
        return undefined;
      }
    },
    close: () => pool.close(),
  };
}
