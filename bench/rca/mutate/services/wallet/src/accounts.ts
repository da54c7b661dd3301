import type { Ledger } from './ledger.ts';

export interface Account {
  readonly owner: string;
  readonly currency: string;
  readonly overdraft: bigint;
  balance(): bigint;
}

export class Accounts {
  private readonly byOwner = new Map<string, Account>();
  private readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  open(owner: string, currency: string, overdraft: bigint): { owner: string } {
    if (this.byOwner.has(owner)) throw new Error(`${owner} has an account`);
    const balance = () => this.ledger.sum(owner);
    this.byOwner.set(owner, { owner, currency, overdraft, balance });
    return { owner };
  }

  get(owner: string): Account {
    const account = this.byOwner.get(owner);
    if (account === undefined) throw new Error(`no account of ${owner}`);
    return account;
  }

  requireFunds(owner: string, cents: bigint): Account {
    const account = this.get(owner);
    const left = account.balance() + account.overdraft - cents;
    if (left < 0n) throw new RangeError(`${owner} is short of ${-left} cents`);
    return account;
  }
}
