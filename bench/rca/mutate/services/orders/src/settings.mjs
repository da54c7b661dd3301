import { readFileSync } from 'node:fs';

const defaults = { pageSize: 10, payments: { retries: 0 } };

export function loadConfig() {
  const read = JSON.parse(readFileSync(new URL('../config.json', import.meta.url), 'utf8'));
  return { ...defaults, ...read, payments: { ...defaults.payments, ...read.payments } };
}
