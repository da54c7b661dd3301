import { Accounts } from './accounts.ts';
import { type Increment, resolveBid } from './bidding.ts';
import { catalogLines } from './catalog.ts';
import type { Command } from './commands.ts';
import { Refused } from './errors.ts';
import { EventLog } from './event-log.ts';
import { type Lot, type Lots, reduceLots } from './lots.ts';

const extensionSeconds = 30;

export class AuctionHouse {
  private readonly log = new EventLog();
  private readonly accounts: Accounts;
  private readonly increments: Increment[];
  private lots: Lots = new Map();

  constructor({ increments, feePercent }: { increments: Increment[]; feePercent: number }) {
    this.increments = increments;
    this.accounts = new Accounts(feePercent);
    this.log.subscribe((event) => {
      this.lots = reduceLots(this.lots, event);
    });
  }

  execute(command: Command): unknown {
    switch (command.type) {
      case 'open':
        return this.log.append({ ...command, type: 'opened' });
      case 'bid':
        return this.bid(command);
      case 'comment':
        return this.log.append({ type: 'commented', lot: command.lot, bidder: command.bidder, words: command.text.match(/\w+/g)! });
      case 'close':
        return this.close(command.now);
      case 'settle':
        return this.settle(this.lot(command.lot));
      case 'statement':
        return this.accounts.statement(command.person).toFixed(2);
      case 'catalog':
        return catalogLines([...this.lots.values()]);
    }
  }

  verify(): void {
    const again = this.log.replay(reduceLots, new Map() as Lots);
    if (JSON.stringify([...again]) !== JSON.stringify([...this.lots])) throw new Error('a replay leads to other lots');
  }

  private lot(name: string): Lot {
    const lot = this.lots.get(name);
    if (lot === undefined) throw new Error(`no lot ${name}`);
    return lot;
  }

  private bid({ lot: name, bidder, amount, at, max = amount }: Extract<Command, { type: 'bid' }>): number {
    const lot = this.lot(name);
    if (at > lot.endsAt) throw new Refused(`${name} has ended`);
    for (const each of resolveBid(lot, { bidder, amount, max }, this.increments)) this.log.append({ type: 'bid', lot: name, ...each });
    if (lot.endsAt - at < 10) this.log.append({ type: 'extended', lot: name, endsAt: lot.endsAt + extensionSeconds });
    return this.lot(name).bids.at(-1)!.amount;
  }

  private close(now: number): string[] {
    const due = [...this.lots.values()].filter((lot) => lot.result === null && lot.endsAt <= now);
    for (const { name, bids, reserve } of due) {
      const highest = bids[bids.length - 1]!;
      const winner = highest.amount >= reserve ? highest.bidder : null;
      this.log.append({ type: 'closed', lot: name, winner, price: highest.amount });
    }
    return due.map(({ name }) => name.toUpperCase());
  }

  private settle(lot: Lot): number {
    const { winner, price } = lot.result!;
    if (winner === null) throw new Refused(`${lot.name} was not sold`);
    const fee = this.accounts.transfer(winner, lot.seller, price);
    this.log.append({ type: 'settled', lot: lot.name, fee });
    return fee;
  }
}
