import { useLocation } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";

/** The evidence that the address names: a new object each time someone follows a citation of it. */
export interface Cited {
  /** Empty when it names none. */
  readonly id: string;
}

/** Returns the cited evidence, and what a citation calls when it is followed. */
export function useCited(): { readonly cited: Cited; readonly follow: (id: string) => void } {
  const { hash } = useLocation();
  const [repeats, setRepeats] = useState(0);
  // A link to where the address already is changes nothing, so that has to be counted.
  const follow = useCallback((id: string) => setRepeats((before) => (id === hash ? before + 1 : before)), [hash]);
  // Each repeat makes a new object.
  const cited = useMemo(() => ({ id: hash }), [hash, repeats]);
  return { cited, follow };
}
