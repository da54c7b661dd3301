export interface Parcel {
  to: { country: string; postcode: string; name?: string; street?: string };
  items: { grams: number; size: number[] }[];
  service?: string;
}

const volumetricDivisor = 5000;

export function measure({ items }: Parcel): { kg: number; liters: number } {
  const grams = items.reduce((sum, item) => sum + item.grams, 0);
  const cubic = items.reduce((sum, { size }) => sum + size.reduce((product, side) => product * side, 1), 0);
  const kg = Math.max(grams / 1000, cubic / volumetricDivisor);
  if (!(kg > 0)) throw new RangeError(`a parcel of ${kg} kg`);
  return { kg: Number(kg.toFixed(2)), liters: cubic / 1000 };
}
