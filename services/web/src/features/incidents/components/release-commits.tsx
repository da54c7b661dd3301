import { shortCommit } from "@whence/protocol";
import type { JSX } from "react";
import type { SuspectRelease } from "../suspect-release.ts";
import styles from "./release-commits.module.css";

const commitsShown = 2;

/** The release that the cause came with, and who wrote its commits. */
export function ReleaseCommits({ suspect }: { readonly suspect: SuspectRelease }): JSX.Element {
  const { service, release, previous, commits } = suspect;
  const more = commits.length - commitsShown;
  return (
    <ul className={styles.commits} aria-label="The release">
      <li>
        {service} {release}, after {previous}
      </li>
      {commits.slice(0, commitsShown).map(({ id, author, subject }) => (
        <li key={id}>
          <code>{shortCommit(id)}</code> {subject}, by {author}
        </li>
      ))}
      {more > 0 ? (
        <li>
          and {more} more {more === 1 ? "commit" : "commits"}
        </li>
      ) : null}
    </ul>
  );
}
