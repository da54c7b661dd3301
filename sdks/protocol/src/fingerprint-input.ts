import type { Exception } from "./telemetry.ts";

/** What a fingerprint is made of. */
export interface FingerprintInput {
  readonly service: string;
  readonly message: string;
  readonly exceptions?: readonly Exception[] | undefined;
}

/** 64 bits as two FNV-1a lanes: no secrecy is needed, only that failures of one organization rarely collide. */
export function hash(text: string): string {
  let low = 0x811c9dc5;
  let high = 0xcbf29ce4;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ (unit + index), 0x01000193);
  }
  return hex(high) + hex(low);
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, "0");
}
