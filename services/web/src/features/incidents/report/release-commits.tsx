import { shortCommit } from "@whence/protocol";
import { type JSX, useContext } from "react";
import { ExternalLink } from "../../../components/external-link.tsx";
import { commitUrl } from "../code-urls.ts";
import { CodeContext } from "../components/code-context.tsx";
import type { SuspectRelease } from "../suspect-release.ts";
import styles from "./release-commits.module.css";

const commitsShown = 2;

/** The release that the causal chain begins with, and who wrote its last commits. */
export function ReleaseCommits({ suspect }: { readonly suspect: SuspectRelease }): JSX.Element {
  const code = useContext(CodeContext);
  // The record names a release's last commits, and not how many there are.
  const { service, release, previous, commits } = suspect;
  return (
    <ul className={styles.commits} aria-label="The release">
      <li>
        {service} {release}, after {previous}
      </li>
      {commits.slice(0, commitsShown).map(({ id, author, subject }) => (
        <li key={id}>
          <Commit id={id} url={commitUrl(code, service, id)} /> {subject}, by {author}
        </li>
      ))}
      {commits.length > commitsShown ? <li>and earlier commits</li> : null}
    </ul>
  );
}

/** The ID of a commit, linked to its diff. */
function Commit({ id, url }: { readonly id: string; readonly url: string | null }): JSX.Element {
  const name = <code>{shortCommit(id)}</code>;
  return url === null ? name : <ExternalLink href={url}>{name}</ExternalLink>;
}
