export interface Entry {
  readonly id: string;
  readonly account: string;
  readonly cents: bigint;
  readonly note: string;
  readonly at: Date;
}

export class Ledger {
  readonly entries: Entry[] = [];
  private readonly sums = new Map<string, bigint>();
  private readonly now: () => Date;
  private next = 1;

  constructor(now: () => Date) {
    this.now = now;
  }

  post(lines: { account: string; cents: bigint }[], note: string): string {
    const total = lines.reduce((sum, line) => sum + line.cents, 0n);
    if (total !== 0n) throw new Error(`posting "${note}" is out of balance by ${total}`);
    const id = `p${this.next++}`;
    const at = this.now();
    for (const { account, cents } of lines) {
      this.entries.push({ id, account, cents, note, at });
      this.sums.set(account, this.sum(account) + cents);
    }
    return id;
  }

  sum(account: string): bigint {
    return this.sums.get(account) ?? 0n;
  }

  of(id: string): Entry[] {
    return this.entries.filter((entry) => entry.id === id);
  }

  audit(): { postings: number; last: string } {
    for (const [account, expected] of this.sums) {
      const actual = this.entries.filter((entry) => entry.account === account).reduce((sum, { cents }) => sum + cents, 0n);
      if (actual !== expected) throw new Error(`${account} holds ${actual}, the sum says ${expected}`);
    }
    const last = this.entries[this.entries.length - 1];
    return { postings: this.next - 1, last: last!.at.toISOString() };
  }
}
