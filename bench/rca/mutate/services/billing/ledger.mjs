export function ledger() {
  const entries = [];
  return {
    post(reference, lines) {
      const sum = lines.reduce((total, [, cents]) => total + cents, 0);
      if (sum !== 0) throw new Error(`${reference} is out of balance by ${sum}`);
      for (const [account, cents] of lines) entries.push({ reference, account, cents });
    },
    balance() {
      const accounts = new Map();
      for (const { account, cents } of entries) accounts.set(account, (accounts.get(account) ?? 0) + cents);
      const total = [...accounts.values()].reduce((sum, cents) => sum + cents, 0);
      if (total !== 0) throw new Error(`the books are off by ${total}`);
      return { receivable: accounts.get('receivable').toFixed(0), accounts: Object.fromEntries(accounts) };
    },
  };
}
