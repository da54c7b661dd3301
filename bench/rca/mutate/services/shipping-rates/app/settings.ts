import { readFileSync } from 'node:fs';

export interface Carrier {
  name: string;
  path: string;
  timeoutMs: number;
  maxKg: number;
}

export interface Settings {
  carriers: Carrier[];
  cacheTtlMs: number;
  surcharge: { island: number; remote: number };
  units: { weight: string; length: string };
}

export function loadSettings(): Settings {
  const text = readFileSync(new URL('../carriers.json', import.meta.url), 'utf8');
  return JSON.parse(text) as Settings;
}
