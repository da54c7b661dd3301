import type { Pool } from './pool.ts';
import type { Seating } from './seating.ts';

export interface Hold {
  id: string;
  venue: string;
  seats: string[];
  customer: string;
  until: number;
  status: 'held' | 'sold';
}

const minuteMs = 60_000;

export class Holds {
  private readonly holds = new Map<string, Hold>();
  private readonly pool: Pool<Seating>;
  private readonly minutes: number;
  private readonly clock: () => number;

  constructor(pool: Pool<Seating>, minutes: number, clock: () => number) {
    this.pool = pool;
    this.minutes = minutes;
    this.clock = clock;
  }

  async taken(venue: string, seats: string[]): Promise<string[]> {
    const lease = await this.pool.acquire();
    try {
      for (const seat of seats) if (!(await lease.resource.exists(venue, seat))) throw new RangeError(`${venue} has no seat ${seat}`);
    } finally {
      lease.release();
    }
    const occupied = this.active(venue).flatMap((hold) => hold.seats);
    return seats.filter((seat) => occupied.includes(seat));
  }

  add(venue: string, seats: string[], customer: string): Hold {
    const hold: Hold = { id: `h${this.holds.size + 1}`, venue, seats: [...seats].sort(), customer, until: this.clock() + this.minutes * minuteMs, status: 'held' };
    this.holds.set(hold.id, hold);
    return hold;
  }

  async confirm(id: string): Promise<{ seats: string }> {
    const hold = this.holds.get(id)!;
    if (hold.until < this.clock()) throw new Error(`${id} ran out at ${new Date(hold.until).toISOString()}`);
    hold.status = 'sold';
    return { seats: hold.seats.join('+') };
  }

  async releaseOf(customer: string): Promise<{ released: number }> {
    const open = [...this.holds.values()].filter((hold) => hold.customer === customer && hold.status === 'held');
    for (const { id } of open) this.holds.delete(id);
    return { released: open.length };
  }

  soldTo(customer: string): Hold[] {
    return [...this.holds.values()].filter((hold) => hold.customer === customer && hold.status === 'sold');
  }

  map(venue: string): Promise<string[]> {
    return this.pool.use(async (seating) => {
      const marks = new Map(this.active(venue).flatMap((hold) => hold.seats.map((seat) => [seat, hold.status === 'sold' ? '#' : 'o'] as const)));
      const rows = await seating.rows(venue);
      return rows.map((row) => row.map((seat) => marks.get(seat) ?? '.').join(''));
    });
  }

  private active(venue: string): Hold[] {
    return [...this.holds.values()].filter((hold) => hold.venue === venue && hold.until >= this.clock());
  }
}
