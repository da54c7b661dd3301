import { useQuery } from "@tanstack/react-query";
import type { Incident, IncidentWatch } from "@whence/protocol";
import { type JSX, Suspense, useState } from "react";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { useKeys } from "../../../lib/use-keys.ts";
import { useNow } from "../../../lib/use-now.ts";
import { placeWatchQuery } from "../api/place-watch.ts";
import { Folded } from "../components/folded.tsx";
import { watchState } from "./place-watch-state.ts";

const WatchedPlaces = lazyPart(() => import("./watched-places.tsx"));

const everyMs = 5_000;

/** The places of a report that running processes can be asked to watch, folded; nothing where there are none. */
export function PlaceWatchFold({ incident: { id } }: { readonly incident: Incident }): JSX.Element | null {
  const { data } = useQuery(placeWatchQuery(id));
  return data && (data.watch !== null || data.places.length > 0) ? <Fold id={id} watched={data} /> : null;
}

interface WatchProps {
  readonly id: string;
  readonly watched: IncidentWatch;
}

/** `w` opens it, and goes to its button. */
function Fold({ id, watched }: WatchProps): JSX.Element {
  const now = useNow(everyMs);
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState(0);
  const ask = (): void => {
    setOpen(true);
    setAsked((before) => before + 1);
  };
  useKeys({ w: ask });
  const toggle = (isWanted: boolean): void => {
    setOpen(isWanted);
    // Opened again without the key, it leaves the focus where it is.
    if (!isWanted) setAsked(0);
  };
  const { watch, places } = watched;
  const note = watch ? watchState(watch, now) : `${places.length} ${places.length === 1 ? "place" : "places"}`;
  return (
    <Folded title="Watch in production" note={note} isOpen={isOpen} onToggle={toggle} isPrinted={false}>
      {() => (
        <Suspense>
          <WatchedPlaces id={id} watched={watched} asked={asked} />
        </Suspense>
      )}
    </Folded>
  );
}
