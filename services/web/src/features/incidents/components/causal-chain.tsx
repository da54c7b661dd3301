import type { ChainLink } from "@whence/protocol";
import type { JSX } from "react";
import { clockTime, fullTime } from "../../../lib/times.ts";
import { placeName } from "../place-name.ts";
import styles from "./causal-chain.module.css";
import { Citations, Prose } from "./prose.tsx";

/** How the failure happened: from its origin, link by link, to its symptom. */
export function CausalChain({ chain }: { readonly chain: readonly ChainLink[] }): JSX.Element | null {
  if (chain.length === 0) return null;
  return (
    <ol className={styles.chain} aria-label="Causal chain, from the origin to the symptom">
      {chain.map((link, index) => (
        <li key={`${index} ${link.what}`}>
          <span className={styles.mark} aria-hidden="true" />
          <div className={styles.link}>
            <p className={styles.what}>
              <Prose text={link.what} /> <Citations ids={link.evidence_ids} />
            </p>
            <Where link={link} role={roleOf(index, chain.length)} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function roleOf(index: number, length: number): string | null {
  if (length === 1) return null;
  if (index === 0) return "Origin";
  return index === length - 1 ? "Symptom" : null;
}

function Where({ link, role }: { readonly link: ChainLink; readonly role: string | null }): JSX.Element | null {
  const { location, service, release, at } = link;
  const owner = [service, release].filter((part) => part !== undefined).join(" ");
  if (role === null && !location && owner === "" && at === undefined) return null;
  return (
    <p className={styles.where}>
      {role === null ? null : <span className={styles.role}>{role}</span>}
      {owner === "" ? null : <span className={styles.owner}>{owner}</span>}
      {location ? (
        <span>
          <code>{placeName(location)}</code>
          {location.function === null ? "" : ` in ${location.function}`}
        </span>
      ) : null}
      {at === undefined ? null : (
        <time dateTime={at} title={fullTime(at)}>
          {clockTime(at)}
        </time>
      )}
    </p>
  );
}
