import { useEffect, useState } from "react";

const tickMs = 1_000;

/** The current time, updated while the page is visible. */
export function useNow(everyMs: number = tickMs): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
