class TicketBook {
  constructor(events) {
    this.events = events;
    this.tickets = new Map();
  }

  async issue(eventId, name, seats) {
    const event = this.events.get(eventId);
    const code = `T-${this.tickets.size + 1}`;
    const ticket = { code, name, event: event.id, seats: new Set(seats), paid: event.cents * seats.length, entered: null };
    await this.write(ticket);
    return ticket;
  }

  async write(ticket) {
    await Promise.resolve();
    this.tickets.set(ticket.code, ticket);
  }

  async byCode(code) {
    await Promise.resolve();
    const ticket = this.tickets.get(code);
    if (!ticket) throw new Error(`unknown ticket ${code}`);
    return ticket;
  }

  async entered() {
    await Promise.resolve();
    return [...this.tickets.values()].filter((ticket) => ticket.entered !== null);
  }
}

module.exports = { TicketBook };
