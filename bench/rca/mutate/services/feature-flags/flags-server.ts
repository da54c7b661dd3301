import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { evaluate } from './evaluate.ts';
import { openFlags } from './flag-store.ts';
import { openSegments } from './segments.ts';
import { exposureReport, recordExposure } from './exposures.ts';
import type { Flag, User } from './types.ts';

export function startFlags(): Promise<{ url: string; close: () => void }> {
  const flags = openFlags();
  const segments = openSegments();
  const users = new Map<string, User>();

  function answer(method: string, [kind, id = '']: string[], body: string): unknown {
    if (method === 'PUT' && kind === 'users') {
      const user: User = { id, ...JSON.parse(body) };
      users.set(id, user);
      segments.refresh(user);
      return { segments: segments.of(id) };
    }
    if (method === 'PUT') return flags.put(id, JSON.parse(body) as Flag);
    if (kind === 'history') return flags.history(id).map(({ version, changed }) => `v${version}: ${changed.join(', ')}`);
    if (kind === 'report') return exposureReport();
    const user = users.get(id)!;
    const values = Object.fromEntries(flags.all().map(([name, flag]) => [name, evaluate(name, flag, user, { flags, segments })]));
    recordExposure(user, values);
    return values;
  }

  const send = (response: ServerResponse, status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      try {
        send(response, 200, answer(request.method!, request.url!.slice(1).split('/'), body));
      } catch (error) {
        console.error({ url: request.url }, error);
        send(response, 500, {});
      }
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }));
  });
}
