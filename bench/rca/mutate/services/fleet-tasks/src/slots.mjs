const slotsMax = 2;

/** Limits how many tasks of one vehicle run at the same time. */
export class Slots {
  #taken = new Map();

  enter(vehicle) {
    const taken = this.#taken.get(vehicle) ?? 0;
    if (taken >= slotsMax) throw new Error(`no slot for ${vehicle}: all ${slotsMax} in use`);
    this.#taken.set(vehicle, taken + 1);
  }

  leave(vehicle) {
    this.#taken.set(vehicle, (this.#taken.get(vehicle) ?? 1) - 1);
  }
}

export const slots = new Slots();
