import { readFile } from 'node:fs/promises';

let loaded;

async function load() {
  const text = await readFile(new URL('../tariffs.json', import.meta.url), 'utf8');
  return new Map(Object.entries(JSON.parse(text)));
}

export async function tariffFor(service) {
  loaded ??= await load();
  return loaded.get(service);
}
