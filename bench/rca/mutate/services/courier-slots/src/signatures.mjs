import { settings } from './settings.mjs';

export function sign(parcel, now = Date.now()) {
  return { parcel, signedAt: Math.floor(now / 1000) };
}

export function verify({ parcel, signedAt }, now = Date.now()) {
  const ageMs = now - signedAt * 1000;
  if (ageMs > settings.signatureMaxAgeMs) throw new Error(`signature of ${parcel} is too old`);
  if (ageMs < -2000) throw new Error(`signature of ${parcel} is from the future`);
  return parcel;
}
