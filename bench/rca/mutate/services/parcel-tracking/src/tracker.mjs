import { openStore } from './store.mjs';
import { createStatus } from './status.mjs';
import { addressOf, kilogramsOf } from './reading.mjs';
import { labelFor } from './label.mjs';
import { overviewOf } from './overview.mjs';

export async function createTracker() {
  const store = await openStore();
  const status = createStatus(store);
  const commands = {
    async register(id, { to, service, weight }) {
      const parcel = { id, to: addressOf(to), service, kilograms: kilogramsOf(weight), scans: [] };
      await store.save(parcel);
      return { id, town: parcel.to.town };
    },
    async scan(id, { at, depot }) {
      const parcel = await store.find(id);
      parcel.scans.push({ at: new Date(at), depot });
      await store.save(parcel);
      status.forget(id);
      return { id, scans: parcel.scans.length };
    },
    status: async (id) => describe(await status.of(id)),
    label: async (id) => labelFor(await store.find(id)),
    overview: async () => overviewOf(await store.all()),
  };
  return { handle: (command, args) => commands[command](...args) };
}

function describe({ id, due, depots, late }) {
  return { id, due: due.toISOString().slice(0, 10), depots: [...depots].sort().join(' '), late };
}
