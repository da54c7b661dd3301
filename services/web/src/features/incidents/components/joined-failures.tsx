import type { JoinedFailure } from "@whence/protocol";
import type { JSX } from "react";
import { TimeAgo } from "../../../components/time.tsx";
import styles from "./joined-failures.module.css";
import { Prose } from "./prose.tsx";

/** Failures that follow from the incident's, or led to it, each with where it was seen and why it belongs here. */
export function JoinedFailures({ failures }: { readonly failures: readonly JoinedFailure[] }): JSX.Element {
  return (
    <ul className={styles.joined}>
      {failures.map(({ fingerprint, service, title, reason, events, last_seen: last }) => (
        <li key={`${service} ${fingerprint}`}>
          <p className={styles.title}>{title}</p>
          <p className={styles.soft}>
            {service} · {events.toLocaleString()} {events === 1 ? "event" : "events"}, the last <TimeAgo at={last} />
          </p>
          <p className={styles.soft}>
            <Prose text={reason} />
          </p>
        </li>
      ))}
    </ul>
  );
}
