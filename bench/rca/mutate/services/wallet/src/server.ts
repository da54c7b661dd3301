import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Accounts } from './accounts.ts';
import { Ledger } from './ledger.ts';
import { formatMoney, parseMoney } from './money.ts';
import { statementOf } from './statement.ts';
import { Transfers } from './transfers.ts';

interface Input {
  owner: string;
  currency: string;
  overdraft?: string;
  amount: string;
  note: string;
  from: string;
  to: string;
}

export async function startWallet(): Promise<{ url: string; close: () => void }> {
  let tick = Date.UTC(2025, 2, 1);
  const ledger = new Ledger(() => new Date((tick += 3_600_000)));
  const accounts = new Accounts(ledger);
  const transfers = new Transfers(accounts, ledger);

  async function handle(method: string, url: URL, body: Input): Promise<unknown> {
    const [, kind, id = '', action] = url.pathname.split('/');
    if (kind === 'accounts' && method === 'POST' && !id) return accounts.open(body.owner, body.currency, parseMoney(body.overdraft ?? '0'));
    if (kind === 'accounts' && action === 'deposit') return transfers.deposit(id, parseMoney(body.amount), body.note);
    if (kind === 'accounts' && action === 'statement') return statementOf(ledger, accounts.get(id), new Date(url.searchParams.get('from') ?? 0));
    if (kind === 'accounts') return { owner: id, balance: formatMoney(accounts.get(id).balance(), accounts.get(id).currency) };
    if (kind === 'transfers' && action === 'refund') return transfers.refund(id);
    if (kind === 'transfers') return transfers.send(body.from, body.to, parseMoney(body.amount), body.note);
    return ledger.audit();
  }

  const server = createServer(async (request, response) => {
    try {
      const url = new URL(request.url ?? '/', 'http://wallet');
      const answer = await handle(request.method ?? 'GET', url, await bodyOf(request));
      response.end(JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? value.toString() : value)));
    } catch (error) {
      console.error(`[wallet] ${request.method} ${request.url}`);
      console.error(error);
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

async function bodyOf(request: IncomingMessage): Promise<Input> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Input;
}
