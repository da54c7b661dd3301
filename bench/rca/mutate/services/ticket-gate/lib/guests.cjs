const spaces = /\s+/;

function guestLine(ticket) {
  const [first, ...rest] = ticket.name.split(spaces);
  const arrived = ticket.entered.toISOString().slice(11, 16);
  return `${rest.join(' ').toUpperCase()}, ${first.charAt(0)}. ${[...ticket.seats.values()].sort()[0]} ${arrived}`;
}

module.exports = { guestLine };
