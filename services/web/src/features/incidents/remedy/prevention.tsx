import type { Solution } from "@whence/protocol";
import type { JSX } from "react";
import { Citations, Prose } from "../components/prose.tsx";
import styles from "./do-now.module.css";

/** What keeps the failure from happening again. */
export function Prevention({ solutions }: { readonly solutions: readonly Solution[] }): JSX.Element {
  return (
    <ul className={styles.actions}>
      {solutions.map((solution) => (
        <li key={solution.title}>
          <h3>
            <Prose text={solution.title} />
          </h3>
          <p className={styles.soft}>
            <Prose text={solution.detail} /> <Citations ids={solution.evidence_ids} />
          </p>
        </li>
      ))}
    </ul>
  );
}
