import { KeyedLock } from './lock.mjs';
import { minutesOf } from './routes.mjs';
import { settings } from './settings.mjs';
import { Shelf } from './shelf.mjs';

const lock = new KeyedLock();
const shelf = new Shelf();

export function reserve(hour, address) {
  return lock.exclusive(hour, async () => {
    const taken = shelf.countOf(hour);
    if (taken >= settings.slotsPerHour) return { hour, state: 'refused' };
    const minutes = await minutesOf(address);
    shelf.put(hour, taken, { address, minutes });
    return { hour, state: 'reserved', number: taken, minutes };
  });
}
