type Zone = 'mainland' | 'island' | 'remote';

const islands: Record<string, [number, number][]> = { GR: [[84000, 85999]], DE: [[18565, 18609], [25859, 25999]] };
const remote: Record<string, string[]> = { NO: ['917', '918'], GR: [] };

export function zoneOf(country: string, postcode: string): Zone {
  const code = Number(postcode);
  const ranges = islands[country] ?? [];
  if (ranges.some(([from, to]) => code >= from && code <= to)) return 'island';
  return (remote[country] ?? []).some((prefix) => postcode.startsWith(prefix)) ? 'remote' : 'mainland';
}
