export async function ticketRoutes(app) {
  app.post('/', async (request) => {
    const ticket = app.desk.open(request.body);
    return { id: ticket.id, team: ticket.team.name, dueInMinutes: ticket.due - ticket.opened };
  });

  app.get('/:id', async ({ params }) => {
    const { subject, comments, status, requester } = app.desk.find(params.id);
    const [first] = comments;
    return { subject, status, from: requester.mail, firstAnswer: first.minutes, mentions: comments.flatMap((comment) => comment.mentions.map((name) => name.slice(1))) };
  });

  app.post('/:id/comments', async ({ params, body }) => {
    const comment = app.desk.comment(params.id, body);
    return { number: comment.number, late: comment.late };
  });

  app.post('/:id/close', async ({ params, body }) => {
    const { closed } = app.desk.close(params.id, body);
    return { by: closed.by.toUpperCase(), after: closed.minutes };
  });
}
