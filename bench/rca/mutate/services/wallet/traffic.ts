import { startWallet } from './src/server.ts';

const wallet = await startWallet();

async function send(method: string, path: string, body?: unknown): Promise<Record<string, string>> {
  const response = await fetch(wallet.url + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  return response.ok ? ((await response.json()) as Record<string, string>) : {};
}

await send('POST', '/accounts', { owner: 'ada', currency: 'EUR' });
await send('POST', '/accounts', { owner: 'bo', currency: 'EUR', overdraft: '50.00' });
await send('POST', '/accounts/ada/deposit', { amount: '120.50', note: 'salary' });
await send('POST', '/accounts/bo/deposit', { amount: '30.00', note: 'gift' });
const transfer = await send('POST', '/transfers', { from: 'ada', to: 'bo', amount: '20.25', note: 'lunch' });
await send('POST', '/transfers', { from: 'bo', to: 'ada', amount: '60.00', note: 'rent' });
await send('POST', `/transfers/${transfer.id}/refund`, {});
await send('GET', '/accounts/ada');
await send('GET', '/accounts/bo/statement?from=2025-01-01');
await send('GET', '/audit');
wallet.close();
