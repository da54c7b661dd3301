import { useQuery } from "@tanstack/react-query";
import type { FailingEvent, Incident } from "@whence/protocol";
import { Fragment, type JSX, type ReactNode } from "react";
import { incidentTelemetryQuery } from "../api/get-telemetry.ts";
import { placeName } from "../place-name.ts";
import styles from "./failing-event.module.css";
import { type LeftOut, leftOutByRule } from "./left-out.ts";
import { isNoted } from "./noted-event.ts";

/** What is missing from the event that opened an incident, and which of its places differ from the code that ran. */
export function FailingEventNotes({ incident }: { readonly incident: Incident }): JSX.Element | null {
  const { data: telemetry } = useQuery({
    ...incidentTelemetryQuery(incident.id),
    enabled: incident.trigger.kind === "event",
  });
  const event = telemetry?.failing_event ?? null;
  return event !== null && isNoted(event) ? <Notes event={event} /> : null;
}

function Notes({ event }: { readonly event: FailingEvent }): JSX.Element {
  const { redactions, withheld, kept_back: kept, mapped_frames: frames, claimed_at: claimedAt } = event;
  return (
    <dl className={styles.notes} aria-label="About the failing event">
      {claimedAt === null ? null : (
        <Note name="Clock">
          The process reported <code>{claimedAt}</code>, which can't be right, so the time of receipt is shown.
        </Note>
      )}
      {leftOutByRule(redactions).map(({ rule, fields }) => (
        <Note key={rule} name={titles[rule] ?? "Redacted"}>
          <Fields fields={fields} /> ({reasons[rule] ?? rule})
        </Note>
      ))}
      {withheld ? (
        <Note name="Withheld">Messages and data, because the program's beforeSend threw on this event.</Note>
      ) : null}
      {kept > 0 ? (
        <Note name="Not sent">
          {kept.toLocaleString()} other {kept === 1 ? "event" : "events"} of this process, dropped by the program's
          beforeSend.
        </Note>
      ) : null}
      {frames.length > 0 ? (
        <Note name="Runs as compiled code">
          <ul>
            {frames.map(({ file, line, generated }, index) => (
              <li key={index}>
                <code>{placeName({ file, line })}</code> as <code>{placeName(generated)}</code>
              </li>
            ))}
          </ul>
        </Note>
      ) : null}
    </dl>
  );
}

const titles: Readonly<Record<string, string>> = {
  "default-name": "Redacted before sending",
  "added-name": "Redacted before sending",
  "default-name-at-gateway": "Redacted on receipt",
};

const reasons: Readonly<Record<string, string>> = {
  "default-name": "default name",
  "added-name": "a name that the program added",
  "default-name-at-gateway": "default name; the program had sent the value",
};

function Note({ name, children }: { readonly name: string; readonly children: ReactNode }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Fields({ fields }: Pick<LeftOut, "fields">): JSX.Element {
  return (
    <>
      {fields.map(({ name, times }, index) => (
        <Fragment key={name}>
          {index > 0 ? ", " : null}
          <code>{name}</code>
          {times > 1 ? ` ${times} times` : null}
        </Fragment>
      ))}
    </>
  );
}
