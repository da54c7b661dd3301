/** About five thousand digits: V8 takes seconds to print millions of them. */
const printedMax = 1n << 16_384n;

/** Returns the digits of an integer; undefined for one that takes long to print. */
export function bigintText(value: bigint): string | undefined {
  return value < printedMax && value > -printedMax ? value.toString() : undefined;
}
