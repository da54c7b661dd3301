import { tariffFor } from './tariffs.mjs';

export async function labelFor(parcel) {
  const tariff = await tariffFor(parcel.service);
  const band = tariff.bands.find(({ upTo }) => parcel.kilograms <= upTo);
  return `${parcel.to.code} ${parcel.to.town.toUpperCase()} | ${tariff.name} | ${(band.cents / 100).toFixed(2)}`;
}
