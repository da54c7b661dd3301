import type { JSX } from "react";
import { age, fullTime } from "../lib/times.ts";
import { useNow } from "../lib/use-now.ts";

const everyMs = 10_000;

/** The age of a time, with the full time on hover. */
export function TimeAgo({ at }: { readonly at: string }): JSX.Element {
  const now = useNow(everyMs);
  return (
    <time dateTime={at} title={fullTime(at)}>
      {age(at, now)}
    </time>
  );
}
