import type { Accounts } from './accounts.ts';
import type { Ledger } from './ledger.ts';

interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly cents: bigint;
  refunded: boolean;
}

export class Transfers {
  private readonly done = new Map<string, Transfer>();

  constructor(
    accounts: Accounts,
    ledger: Ledger,
  ) {
    this.accounts = accounts;
    this.ledger = ledger;
  }

  private readonly accounts: Accounts;
  private readonly ledger: Ledger;

  deposit(owner: string, cents: bigint, note: string): { id: string } {
    const { currency } = this.accounts.get(owner);
    const id = this.ledger.post([{ account: `cash-${currency}`, cents: -cents }, { account: owner, cents }], note);
    return { id };
  }

  send(from: string, to: string, cents: bigint, note: string): { id: string; left: bigint } {
    const payer = this.accounts.requireFunds(from, cents);
    const payee = this.accounts.get(to);
    if (payer.currency !== payee.currency) throw new Error(`${payer.currency} to ${payee.currency} needs an exchange`);
    const id = this.ledger.post([{ account: payer.owner, cents: -cents }, { account: payee.owner, cents }], note);
    this.done.set(id, { from, to, cents, refunded: false });
    return { id, left: payer.balance() };
  }

  refund(id: string): { id: string } {
    const transfer = this.done.get(id)!;
    if (transfer.refunded) throw new Error(`${id} was refunded`);
    const [first] = this.ledger.of(id);
    const back = this.send(transfer.to, transfer.from, transfer.cents, `refund of ${first!.note}`);
    transfer.refunded = true;
    return { id: back.id };
  }
}
