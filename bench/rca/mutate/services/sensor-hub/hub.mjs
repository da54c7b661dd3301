import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { Alerts } from './alerts.mjs';
import { parseLines } from './protocol.mjs';
import { Registry } from './registry.mjs';
import { trendOf } from './trend.mjs';

export async function startHub() {
  const config = JSON.parse(await readFile(new URL('hub.json', import.meta.url), 'utf8'));
  const registry = new Registry(config);
  const alerts = new Alerts(config.alerts);

  async function accept(stream) {
    let count = 0;
    for await (const reading of parseLines(stream)) {
      const stored = registry.store(reading);
      alerts.check(stored);
      count++;
    }
    return { count };
  }

  function view([kind, id, detail]) {
    if (kind === 'alerts') return alerts.list().map(({ room, value, who }) => `${who}: ${room} is at ${value.toFixed(1)}`);
    if (kind === 'sensors') return registry.sensor(id).history.toArray().map(({ start, mean }) => [new Date(start).toISOString(), mean]);
    if (detail === 'trend') return trendOf(registry.room(id));
    return registry.room(id).map(({ name, last, unit }) => `${name} ${last.value.toFixed(1)} ${unit.symbol}`);
  }

  const server = createServer((request, response) => {
    const path = request.url.split('/').slice(1);
    const answer = request.method === 'POST' ? accept(request) : new Promise((resolve) => resolve(view(path)));
    answer.then(
      (body) => response.end(JSON.stringify(body)),
      (error) => {
        console.error('hub:', request.url, error);
        response.writeHead(500).end();
      },
    );
  });
  const { promise, resolve } = Promise.withResolvers();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
