export class Accounts {
  private readonly balances = new Map<string, number>();
  private readonly feePercent: number;

  constructor(feePercent: number) {
    this.feePercent = feePercent;
  }

  transfer(from: string, to: string, amount: number): number {
    const fee = (amount * this.feePercent) / 100;
    this.add(from, -amount);
    this.add(to, amount - fee);
    this.add('house', fee);
    const sum = [...this.balances.values()].reduce((total, each) => total + each, 0);
    if (Math.abs(sum) > 0.001) throw new Error(`the accounts are off by ${sum}`);
    return fee;
  }

  statement(person: string): number {
    const balance = this.balances.get(person);
    if (balance === undefined) throw new Error(`${person} has no account`);
    return balance;
  }

  private add(person: string, amount: number): void {
    this.balances.set(person, (this.balances.get(person) ?? 0) + amount);
  }
}
