import { useEffect, useState } from "react";

const tickMs = 1_000;

/** The time, which goes on while somebody looks. */
export function useNow(everyMs: number = tickMs): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
