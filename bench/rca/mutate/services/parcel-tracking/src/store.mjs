import { setTimeout as pause } from 'node:timers/promises';

export async function openStore() {
  const parcels = new Map();
  await pause(1);
  return {
    async save(parcel) {
      await pause(1);
      parcels.set(parcel.id, copyOf(parcel));
    },
    async find(id) {
      await pause(1);
      const parcel = parcels.get(id);
      if (parcel === undefined) throw new Error(`no parcel ${id}`);
      return copyOf(parcel);
    },
    async all() {
      await pause(1);
      return [...parcels.values()].map(copyOf);
    },
  };
}

function copyOf(parcel) {
  return structuredClone(parcel);
}
