import { createServer } from 'node:http';
import { giveBack, history, rent, repair } from './handlers.mjs';

const routes = { 'POST rent': rent, 'POST return': giveBack, 'POST repair': repair, 'GET rides': history };

export function start() {
  const server = createServer(async (request, response) => {
    const [, id, action] = request.url.split('/');
    const reply = (status, value) => response.writeHead(status).end(JSON.stringify(value));
    try {
      let text = '';
      for await (const chunk of request) text += chunk;
      const body = text === '' ? {} : JSON.parse(text);
      routes[`${request.method} ${action}`]({ params: { id }, body }, reply);
    } catch (error) {
      console.error(`${request.method} ${request.url}`, error);
      process.exitCode = 1;
      reply(500, { error: 'failed' });
    }
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
