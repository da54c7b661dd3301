import type { User, Value } from './types.ts';

const seen = new Map<string, Map<string, number>>();

export function recordExposure(user: User, values: Record<string, Value>): void {
  for (const [flag, value] of Object.entries(values)) {
    const counts = seen.get(flag) ?? new Map<string, number>();
    const key = typeof value === 'object' ? Object.keys(value).join('+') : value.toString();
    counts.set(key, (counts.get(key) ?? 0) + 1);
    seen.set(flag, counts);
  }
}

export function exposureReport(): { flag: string; top: string; share: number }[] {
  return [...seen].map(([flag, counts]) => {
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const [top, count] = [...counts].sort((a, b) => b[1] - a[1])[0]!;
    if (count > total || total > 4) throw new RangeError(`${count} of ${total} exposures of ${flag}`);
    return { flag, top: top.padEnd(6), share: Math.round((count / total) * 100) };
  });
}
