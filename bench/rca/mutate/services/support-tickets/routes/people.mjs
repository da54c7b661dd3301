import { summarize } from '../stats.mjs';

export async function peopleRoutes(app) {
  app.get('/people/:mail', async ({ params }) => {
    const person = app.desk.person(params.mail);
    return { tickets: person.tickets.map((ticket) => ticket.subject.trim()), since: person.tickets[0].opened };
  });

  app.get('/queue/:team', async ({ params, query }) => {
    const now = Number(query.now);
    return app.desk.queue(params.team, now).map(({ ticket, urgency }) => ({ id: ticket.id, urgency: urgency.toFixed(2) }));
  });

  app.get('/stats', async () => summarize(app.desk.all()));
}
