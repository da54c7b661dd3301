export class Shelf {
  #places = new Map();

  countOf(hour) {
    return this.#places.get(hour)?.size ?? 0;
  }

  put(hour, number, parcel) {
    const places = this.#places.get(hour) ?? new Map();
    if (places.has(number)) throw new Error(`slot ${number} of ${hour} is already taken`);
    places.set(number, parcel);
    this.#places.set(hour, places);
  }
}
