interface Plan {
  rows: number;
  seats: number;
}

/** A connection to the seating plans. */
export class Seating {
  private readonly plans: Map<string, Plan>;
  queries = 0;

  constructor(venues: Record<string, Plan>) {
    this.plans = new Map(Object.entries(venues));
  }

  async rows(venue: string): Promise<string[][]> {
    this.queries += 1;
    await new Promise((resolve) => setImmediate(resolve));
    const plan = this.plans.get(venue);
    if (!plan) throw new Error(`no venue ${venue}`);
    return Array.from({ length: plan.rows }, (_, row) => Array.from({ length: plan.seats }, (_, seat) => String.fromCharCode(65 + row) + (seat + 1)));
  }

  async exists(venue: string, seat: string): Promise<boolean> {
    const rows = await this.rows(venue);
    return rows.flat().includes(seat);
  }
}
