import type { Hold } from './holds.ts';

export function billFor(sold: Hold[], prices: Record<string, number>): { total: string; lines: string[] } {
  const lines = sold.flatMap(({ seats, venue }) => seats.map((seat) => ({ text: `${venue} ${seat}`, cents: prices[seat.charAt(0)]! })));
  const total = lines.reduce((sum, { cents }) => sum + cents, 0);
  if (!Number.isFinite(total) || total === 0) throw new Error(`a bill of ${total} for ${sold.map((hold) => hold.id)}`);
  return { total: (total / 100).toFixed(2), lines: lines.map(({ text, cents }) => text.padEnd(12) + cents.toFixed()) };
}
