import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type IncidentWatch, type PlaceWatch, watchLimits, watchStates } from "@whence/protocol";
import { type JSX, useEffect, useRef, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Select } from "../../../components/select.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { toasts } from "../../../components/toasts.tsx";
import { sentenceTime } from "../../../lib/times.ts";
import { refreshWatch, startWatch, stopWatch } from "../api/place-watch.ts";
import { placeName } from "../place-name.ts";
import { isRunning } from "./place-watch-state.ts";
import { SeenValues } from "./seen-values.tsx";
import styles from "./watched-places.module.css";

/** How long places are watched, in minutes. */
const lengths = [10, 30, watchLimits.watchMinutesMax].map((minutes) => ({
  value: `${minutes}`,
  name: `${minutes} minutes`,
}));

interface WatchProps {
  readonly id: string;
  readonly watched: IncidentWatch;
}

interface WatchedPlacesProps extends WatchProps {
  /** How often its key was pressed, which goes to its button. */
  readonly asked: number;
}

/** What running processes read at the places of a report, and the button that starts or stops it. */
export default function WatchedPlaces({ id, watched, asked }: WatchedPlacesProps): JSX.Element {
  const { watch } = watched;
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (asked === 0) return;
    const button = body.current?.querySelector("button");
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: "center" });
  }, [asked]);
  return (
    <div ref={body} className={styles.watch}>
      {watch && isRunning(watch, Date.now()) ? <Running watch={watch} /> : <Start id={id} watched={watched} />}
      <Places watched={watched} />
      {watched.watched ? <SeenValues watched={watched.watched} /> : null}
    </div>
  );
}

function Start({ id, watched: { watch, places } }: WatchProps): JSX.Element {
  const queryClient = useQueryClient();
  const [minutes, setMinutes] = useState(`${watchLimits.watchMinutesMax}`);
  const { mutate, isPending } = useMutation({
    mutationFn: () => startWatch(id, Number(minutes)),
    onSuccess: () => toasts.add({ title: "Watch started" }),
    onError: (error) => toasts.add({ title: "The watch didn't start", description: error.message }),
    onSettled: () => refreshWatch(queryClient, id),
  });
  return (
    <>
      {watch ? <Outcome watch={watch} /> : null}
      {places.length === 0 ? (
        <p>The current report names no place to watch.</p>
      ) : (
        <>
          <p>
            Running processes of the failing release read the values at these places, and send them with the next
            failure. The program must allow it: <code>{"init({ watch: true })"}</code>.
          </p>
          <div className={styles.start}>
            <Select
              label="Watch for"
              options={lengths}
              value={minutes}
              onChange={({ target }) => setMinutes(target.value)}
            />
            <Button icon="search" busy={isPending} onClick={() => mutate()}>
              {watch ? "Watch again" : "Watch"}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

function Running({ watch }: { readonly watch: PlaceWatch }): JSX.Element {
  const queryClient = useQueryClient();
  const { incident_id: id } = watch;
  const { mutate, isPending } = useMutation({
    mutationFn: () => stopWatch(id),
    onSuccess: () => toasts.add({ title: "Watch stopped" }),
    onError: (error) => toasts.add({ title: "The watch didn't stop", description: error.message }),
    onSettled: () => refreshWatch(queryClient, id),
  });
  return (
    <>
      <Outcome watch={watch} />
      <div>
        <Button icon="close" busy={isPending} onClick={() => mutate()}>
          Stop watching
        </Button>
      </div>
    </>
  );
}

/** What a watch is for, what processes did with it, and how often it saw the failure. */
function Outcome({ watch }: { readonly watch: PlaceWatch }): JSX.Element {
  const { service, release, env, created_by: by, created_at: at, process, seen } = watch;
  return (
    <>
      <p role="status">
        <ProcessState watch={watch} process={process} />{" "}
        {seen ? (
          <>
            What was seen came with {seen.failures} {seen.failures === 1 ? "failure" : "failures"}, the last{" "}
            <TimeAgo at={seen.at} />.
          </>
        ) : null}
      </p>
      <p className={styles.soft}>
        {service} {release}, {env}. Started by {by} <TimeAgo at={at} />, until{" "}
        {sentenceTime(watch.stopped_at ?? watch.expires_at, Date.now())}.
      </p>
    </>
  );
}

function ProcessState({ process, watch }: Pick<PlaceWatch, "process"> & { readonly watch: PlaceWatch }): JSX.Element {
  if (process === null && !isRunning(watch, Date.now())) return <>No process answered.</>;
  if (process === null) {
    return (
      <>
        No process has answered yet. A process that allows it, with <code>{"init({ watch: true })"}</code>, asks every
        minute at the latest.
      </>
    );
  }
  const { state, reason, at } = process;
  const { armed, refused, ended } = watch.processes;
  const said = watchStates.flatMap((one) => (watch.processes[one] > 0 ? [`${watch.processes[one]} ${one}`] : []));
  const last = { armed: "A process watches these places", refused: "A process refused", ended: "A process stopped" }[
    state
  ];
  return (
    <>
      {last}
      {reason === null ? "" : `: ${reason}`} (<TimeAgo at={at} />
      ).{armed + refused + ended > 1 ? ` In all: ${said.join(", ")}.` : ""}
    </>
  );
}

/** The places, with how often the process of the last failure reached each. */
function Places({ watched: { watch, places, watched } }: { readonly watched: IncidentWatch }): JSX.Element {
  const shown = watch?.places ?? places;
  const counts = new Map(watched?.places.map((one) => [one.place, one]));
  return (
    <ol className={styles.places} aria-label="Watched places">
      {shown.map((place, index) => {
        const count = counts.get(index);
        return (
          <li key={`${place.file}:${place.line}`}>
            <code title={place.file}>{placeName(place)}</code>{" "}
            {place.function === null ? null : <code>{place.function}</code>}
            {count ? (
              <span className={styles.soft}>
                {" "}
                {count.hits === 0 ? "not reached" : `reached ${count.hits} ${count.hits === 1 ? "time" : "times"}`}
                {count.is_complete ? "" : ", then given up"}
              </span>
            ) : null}
          </li>
        );
      })}
    </ol>
  );
}
