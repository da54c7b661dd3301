const { doorsOf } = require('./doors.cjs');

class Turnstile {
  constructor(book) {
    this.book = book;
    this.counted = new Map();
  }

  async enter(code, at) {
    const ticket = await this.book.byCode(code);
    const doors = doorsOf(this.book.events.get(ticket.event));
    if (at < doors.open || at > doors.close) throw new Error(`${code} came at ${at.toISOString()}`);
    ticket.entered = at;
    await this.book.write(ticket);
    this.counted.set(ticket.event, (this.counted.get(ticket.event) || 0) + ticket.seats.size);
    return [...ticket.seats].join('+');
  }

  async totals() {
    const tickets = await this.book.entered();
    const minutes = tickets.map((ticket) => ticket.entered.getUTCHours() * 60 + ticket.entered.getUTCMinutes());
    return { events: Object.fromEntries(this.counted), first: Math.min(...minutes) };
  }
}

module.exports = { Turnstile };
