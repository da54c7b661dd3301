function refundOf(ticket, event) {
  const share = ticket.entered === null ? 1 : 0.5;
  const day = event.starts.getUTCDate();
  return { code: ticket.code, cents: Math.round(ticket.paid * share), until: `${event.starts.getUTCFullYear()}-${event.starts.getUTCMonth() + 1}-${day}` };
}

module.exports = { refundOf };
