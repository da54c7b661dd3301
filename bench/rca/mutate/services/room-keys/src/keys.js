import { httpError } from './http-error.js';
import { find, save } from './store.js';

export async function issue(guestId) {
  const guest = await find('guests', guestId);
  if (!guest) {
    throw httpError(404, `no guest ${guestId}`);
  }
  const room = await find('rooms', guest.room);
  if (!room) {
    throw httpError(409, 'no room');
  }
  return room.locks.map((lock) => `${guest.name}:${room.number}:${lock}`);
}

export async function move(guestId, number) {
  const guest = await find('guests', guestId);
  if (!guest) {
    throw httpError(404, `no guest ${guestId}`);
  }
  const room = await find('rooms', number);
  if (!room) {
    throw httpError(409, 'no room');
  }
  await save('guests', guestId, { ...guest, room: room.number });
  return `${guest.name} to ${room.number}`;
}

export async function rename(guestId, { name } = {}) {
  const guest = await find('guests', guestId);
  if (!guest) {
    throw httpError(404, `no guest ${guestId}`);
  }
  if (name === undefined) {
    throw httpError(400, 'name is missing');
  }
  const old = guest.name;
  guest.name = name.trim();
  return `${old} is ${guest.name}`;
}
