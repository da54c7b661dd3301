import { settings } from './settings.mjs';

export function noteFor(parcel, text) {
  const bytes = Buffer.byteLength(text);
  if (bytes > settings.noteMaxBytes) throw new RangeError(`note of ${parcel} is too large: ${bytes} bytes`);
  return { parcel, text };
}
