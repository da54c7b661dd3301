import { Cache } from './cache.ts';
import { fetchOffers, type Offer } from './carriers.ts';
import { measure, type Parcel } from './parcel.ts';
import type { Settings } from './settings.ts';
import { zoneOf } from './zones.ts';

export class Quotes {
  private readonly cache: Cache<Offer[]>;
  private readonly base: string;
  private readonly settings: Settings;

  constructor(base: string, settings: Settings) {
    this.base = base;
    this.settings = settings;
    this.cache = new Cache(settings.cacheTtlMs);
  }

  async all(parcel: Parcel): Promise<Offer[]> {
    const { kg } = measure(parcel);
    const usable = this.settings.carriers.filter(({ maxKg }) => kg <= maxKg);
    const query = new URLSearchParams({ kg: String(kg), country: parcel.to.country });
    const lists = await Promise.all(usable.map((carrier) => this.cache.get(`${carrier.name}?${query}`, () => fetchOffers(this.base, carrier, query))));
    const offers = lists.flat().map((offer) => ({ ...offer, price: this.withSurcharge(offer.price, parcel.to) }));
    if (offers.length === 0) throw new Error(`no carrier takes ${kg} kg to ${parcel.to.country}`);
    return offers;
  }

  stats(): { cached: number; hitRate: string } {
    return { cached: this.cache.size, hitRate: (this.cache.hits / this.cache.size).toFixed(2) };
  }

  private withSurcharge(price: number, to: Parcel['to']): number {
    const zone = zoneOf(to.country, to.postcode);
    const extra = zone === 'mainland' ? 0 : this.settings.surcharge[zone];
    const total = price + extra;
    if (Number.isNaN(total)) throw new TypeError(`price ${price} with ${extra} for ${zone}`);
    return Math.round(total * 100) / 100;
  }
}
