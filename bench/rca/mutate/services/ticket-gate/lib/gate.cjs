const { loadEvents } = require('./events.cjs');
const { TicketBook } = require('./book.cjs');
const { Turnstile } = require('./turnstile.cjs');
const { guestLine } = require('./guests.cjs');
const { refundOf } = require('./refunds.cjs');

async function createGate() {
  const events = await loadEvents();
  const book = new TicketBook(events);
  const turnstile = new Turnstile(book);
  return {
    async sell({ event, name, seats }) {
      const ticket = await book.issue(event, name, seats);
      return `${ticket.code} ${ticket.seats.size}`;
    },
    enter: ({ code, at }) => turnstile.enter(code, new Date(at)),
    totals: () => turnstile.totals(),
    async guest({ code }) {
      const ticket = await book.byCode(code);
      return guestLine(ticket);
    },
    async refund({ code }) {
      const ticket = await book.byCode(code);
      return refundOf(ticket, events.get(ticket.event));
    },
  };
}

module.exports = { createGate };
