import { type LocatedFrame, lineOf } from "./located-frame.ts";

/** A frame this often on a stack is a recursion's. */
const repeatsMin = 3;

/** Returns the call of own code that is on an error's stack most often, as in an endless recursion; null without one. */
export function repeatedFrame(frames: readonly LocatedFrame[], exception: number): LocatedFrame | null {
  const own = frames.filter((one) => one.exception === exception && one.frame.origin === "app");
  const counts = new Map<string, { readonly first: LocatedFrame; count: number }>();
  for (const one of own) {
    const key = `${one.file}:${lineOf(one)}`;
    const known = counts.get(key);
    if (known) known.count += 1;
    else counts.set(key, { first: one, count: 1 });
  }
  const [most] = [...counts.values()].toSorted((left, right) => right.count - left.count);
  return most && most.count >= repeatsMin ? most.first : null;
}
