import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { peopleRoutes } from './routes/people.mjs';
import { ticketRoutes } from './routes/tickets.mjs';
import { createDesk } from './desk.mjs';

export async function build() {
  const sla = JSON.parse(readFileSync(new URL('./sla.json', import.meta.url), 'utf8'));
  const app = Fastify();
  app.decorate('desk', createDesk(sla));
  app.setErrorHandler((error, request, reply) => {
    console.error(`${request.method} ${request.url}`, error);
    reply.status(500).send({ error: 'internal' });
  });
  await app.register(ticketRoutes, { prefix: '/tickets' });
  await app.register(peopleRoutes);
  await app.ready();
  return app;
}
