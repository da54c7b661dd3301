import { Link } from "@tanstack/react-router";
import type { Service } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Icon } from "../../../components/icon.tsx";
import { paths } from "../../../config/paths.ts";
import { newlyHeard } from "../newly-heard.ts";
import styles from "./arrival.module.css";

/** Waits for a service that was not heard of when one came to the page, and says when it is there. */
export function Arrival({ services }: { readonly services: readonly Service[] }): JSX.Element {
  const [before] = useState(services);
  const [first] = newlyHeard(before, services);
  return (
    <div role="status" className={first ? styles.there : styles.waiting}>
      {first ? (
        <>
          <Icon name="check" size={20} />
          <div>
            <p>
              <strong>
                {first.service} ({first.env}) is heard of.
              </strong>{" "}
              Whence opens an incident by itself when it fails.
            </p>
            <Link to={paths.services}>See the services</Link>
          </div>
        </>
      ) : (
        <>
          <span className={styles.dot} aria-hidden="true" />
          <p>
            {before.length === 0 ? "Nothing was heard of yet" : "No other service was heard of yet"}: this turns green
            with the first event.
          </p>
        </>
      )}
    </div>
  );
}
