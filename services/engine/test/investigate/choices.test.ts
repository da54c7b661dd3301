import { describe, expect, it } from "vitest";
import { traced } from "../trace/signals-in.ts";

/** Returns the fallbacks that a rank may come from, each with whether a condition on something else chooses it. */
async function fallbacksIn(given: string): Promise<string[]> {
  const files = {
    "crew.py": `PAY = {"watch": 3, "day": 2}\n\n\ndef rank(sailor, is_night):\n    return ${given}\n\n\ndef pay(sailor, is_night):\n    return PAY[rank(sailor, is_night)]\n`,
  };
  const log = `Traceback (most recent call last):
  File "/srv/crew.py", line 9, in pay
    return PAY[rank(sailor, is_night)]
KeyError: 'deck'
`;
  const { signals } = await traced(log, files);
  return signals.flatMap(({ kind, args }) =>
    kind === "value-step" && args.how === "fallback" ? [`${args.code}${args.isChosen ? ", chosen" : ""}`] : [],
  );
}

describe("a text that an expression may give", () => {
  it.each([
    ['"watch" if is_night else "deck"', ['"watch", chosen', '"deck", chosen']],
    ['sailor.day if is_night else "deck"', ['"deck", chosen']],
  ])("is chosen where a condition on something else decides: %s", async (given, expected) => {
    expect(await fallbacksIn(given)).toEqual(expected);
  });

  it.each([
    'sailor or "deck"',
    'sailor if sailor else "deck"',
    '"deck" if sailor is None else sailor',
    'sailor.rank if sailor.rank is not None else "deck"',
    'sailor["rank"] if "rank" in sailor else "deck"',
  ])("is a fallback where it stands in for what is tested: %s", async (given) => {
    expect(await fallbacksIn(given)).toEqual(['"deck"']);
  });
});
