import { dueAt, urgencyOf } from './sla.mjs';
import { createPeople } from './people.mjs';
import { createRouter } from './team-router.mjs';

export function createDesk(sla) {
  const tickets = new Map();
  const people = createPeople();
  const teamOf = createRouter(sla);
  let clock = 0;

  function find(id) {
    const ticket = tickets.get(id);
    if (ticket === undefined) throw new Error(`ticket ${id} does not exist`);
    return ticket;
  }

  return {
    find,
    person: (mail) => people.byMail(mail),
    all: () => [...tickets.values()],

    open({ subject, text, from, priority = 'normal' }) {
      const requester = people.ensure(from);
      const opened = clock;
      clock += 10;
      const ticket = { id: `T${tickets.size + 1}`, subject, text, requester, priority, opened, status: 'open', comments: [], team: teamOf(`${subject} ${text}`), due: dueAt(sla, priority, opened) };
      tickets.set(ticket.id, ticket);
      requester.tickets.push(ticket);
      return ticket;
    },

    comment(id, { author, text, minutes }) {
      const ticket = find(id);
      if (ticket.status === 'closed') throw new Error(`ticket ${id} is closed`);
      const mentions = text.match(/@\w+/g) ?? [];
      const comment = { number: ticket.comments.length + 1, author, text, minutes, mentions, late: ticket.opened + minutes > ticket.due };
      ticket.comments = [...ticket.comments, comment];
      return comment;
    },

    close(id, { by, minutes }) {
      const ticket = find(id);
      ticket.status = 'closed';
      ticket.closed = { by, minutes };
      return ticket;
    },

    queue(team, now) {
      const open = [...tickets.values()].filter((ticket) => ticket.team.name === team && ticket.status === 'open');
      return open.map((ticket) => ({ ticket, urgency: urgencyOf(sla, ticket, now) })).sort((a, b) => b.urgency - a.urgency);
    },
  };
}
