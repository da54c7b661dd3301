import { createServer } from 'node:http';
import { openDatabase } from './database.mjs';
import { readers } from './readers.mjs';
import { JobQueue } from './queue.mjs';

export async function createService({ database, workers }) {
  const db = openDatabase(database);
  const queue = new JobQueue(workers, async (job) => {
    const { read, save } = readers[job.kind];
    const { rows, rejected } = read(job.text);
    db.transaction(() => rows.forEach((row) => save(db, row)));
    return { saved: rows.length, rejected: rejected.map(({ line, reason }) => `${line}: ${reason}`) };
  });

  const routes = {
    'POST /import': async (url, text) => ({ job: queue.push({ kind: url.searchParams.get('kind'), text }) }),
    'GET /jobs': async (url) => {
      const job = queue.find(Number(url.pathname.split('/')[2]));
      return { state: job.state, saved: job.result.saved, first: job.result.rejected[0] ?? null, took: job.endedAt - job.startedAt };
    },
    'GET /contacts': async (url) => db.all('contacts', url.searchParams.get('sort')).map((row) => ({ ...row, mail: row.mail.toLowerCase() })),
    'GET /parts': async (url) => {
      const part = db.one('parts', 'sku', url.pathname.split('/')[2]);
      return { sku: part.sku, stock: part.stock, price: `${part.net.toFixed(2)} ${part.currency}` };
    },
    'GET /summary': async () => {
      const { contacts, balance } = db.summary();
      return { contacts, average: (balance / contacts).toFixed(2) };
    },
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://imports');
    try {
      const text = Buffer.concat(await Array.fromAsync(request)).toString('utf8');
      const route = routes[`${request.method} /${url.pathname.split('/')[1]}`];
      response.end(JSON.stringify(await route(url, text)));
    } catch (error) {
      console.error('request failed:', error);
      response.writeHead(500).end('{}');
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.close();
    db.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, idle: () => queue.idle(), stop };
}
