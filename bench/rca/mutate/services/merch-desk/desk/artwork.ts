import { artworkLimitKb } from './limits.ts';

export function accept(name: string, data: Uint8Array): string {
  if (data.byteLength > artworkLimitKb * 1024) throw new RangeError(`${name} is too big (${data.byteLength} bytes)`);
  return `${name} ${data.byteLength}`;
}
