import { Link } from "@tanstack/react-router";
import type { Service } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Icon } from "../../../components/icon.tsx";
import { paths } from "../../../config/paths.ts";
import { newServices } from "../new-services.ts";
import styles from "./arrival.module.css";

/** Waits for a service that wasn't there when the page opened, and says when it appears. */
export function Arrival({ services }: { readonly services: readonly Service[] }): JSX.Element {
  const [before] = useState(services);
  const [first] = newServices(before, services);
  return (
    <div role="status" className={first ? styles.there : styles.waiting}>
      {first ? (
        <>
          <Icon name="check" size={20} />
          <div>
            <p>
              <strong>
                {first.service} ({first.env}) is connected.
              </strong>{" "}
              Whence opens an incident when it fails.
            </p>
            <Spool service={first} />
            <Link to={paths.services}>View services</Link>
          </div>
        </>
      ) : (
        <>
          <span className={styles.dot} aria-hidden="true" />
          <p>
            {before.length === 0 ? "No telemetry yet." : "No telemetry from a new service yet."} This turns green with
            the first event.
          </p>
        </>
      )}
    </div>
  );
}

/** Where the client keeps events until they are sent, according to its first heartbeat. */
function Spool({ service: { spool_folder, spool_off } }: { readonly service: Service }): JSX.Element | null {
  if (spool_folder !== null) {
    return (
      <p>
        Events are kept in <code>{spool_folder}</code> until they are sent.
      </p>
    );
  }
  return spool_off === null ? null : (
    <p>
      Events are kept in memory only ({spool_off}): what a killed process hasn't sent is lost. Set <code>spool</code> to
      a folder to keep them.
    </p>
  );
}
