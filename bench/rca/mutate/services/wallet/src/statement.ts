import type { Account } from './accounts.ts';
import type { Ledger } from './ledger.ts';
import { formatMoney } from './money.ts';

export function statementOf(ledger: Ledger, account: Account, from: Date): string[] {
  const entries = ledger.entries.filter((entry) => entry.account === account.owner && entry.at >= from);
  const width = Math.max(...entries.map(({ note }) => note.length));
  let balance = 0n;
  const lines = entries.map(({ at, note, cents }) => {
    balance += cents;
    return `${at.toISOString().slice(0, 10)} ${note.padEnd(width)} ${formatMoney(cents, account.currency)} ${formatMoney(balance, account.currency)}`;
  });
  if (balance !== account.balance()) throw new Error(`the statement of ${account.owner} ends at ${balance}`);
  return lines;
}
