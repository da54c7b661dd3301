import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Flag } from './types.ts';

interface Change {
  version: number;
  changed: string[];
}

export type FlagStore = ReturnType<typeof openFlags>;

export function openFlags() {
  const initial = JSON.parse(readFileSync(join(import.meta.dirname, 'flags.json'), 'utf8')) as Record<string, Flag>;
  const flags = new Map(Object.entries(initial));
  const changes = new Map<string, Change[]>();

  return {
    all: () => [...flags].filter(([, flag]) => flag.enabled),
    find(name: string): Flag {
      const flag = flags.get(name);
      if (flag === undefined) throw new Error(`flag ${name} is not defined`);
      return flag;
    },
    put(name: string, flag: Flag): { version: number } {
      const before = flags.get(name);
      const list = changes.get(name) ?? [];
      const version = list.length + 1;
      list.push({ version, changed: before ? differences(before, flag) : ['created'] });
      changes.set(name, list);
      flags.set(name, flag);
      return { version };
    },
    history: (name: string): Change[] => changes.get(name)!,
  };
}

function differences(before: Flag, after: Flag): string[] {
  const keys = Object.keys(before) as (keyof Flag)[];
  return keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key])).map((key) => key.toUpperCase());
}
