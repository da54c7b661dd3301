import { hasRepositoryPaths, type Incident, type Patch, patchForAgent, type Report } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { toasts } from "../../../components/toasts.tsx";
import { Citations, Prose } from "../components/prose.tsx";
import { DiffLines } from "./diff-lines.tsx";
import styles from "./patch.module.css";
import { PullRequestOf } from "./pull-request.tsx";

interface PatchProps {
  readonly incident: Incident;
  readonly report: Report;
  readonly patch: Patch;
  /** Whether a code host is connected. */
  readonly canOpen: boolean;
}

/** The repair of a report as a diff: to copy, to apply, to hand to a coding agent, or to open as a pull request. */
export function PatchOf({ incident, report, patch, canOpen }: PatchProps): JSX.Element {
  const { what, diff, evidence_ids: ids } = patch;
  return (
    <section className={styles.patch} aria-label="Patch">
      <p>
        <Prose text={what} /> <Citations ids={ids} />
      </p>
      <DiffLines lines={diff.trimEnd().split("\n")} label="Diff" />
      <div className={styles.actions}>
        <PullRequestOf incident={incident} canOpen={canOpen} />
        <Button icon="copy" onClick={() => void copy(diff, "Patch copied")}>
          Copy patch
        </Button>
        <Button icon="copy" look="quiet" onClick={() => void copy(handOver(report, patch), "Text for an agent copied")}>
          Copy for a coding agent
        </Button>
        <span className={styles.hint}>
          Apply it with <code>git apply</code> in the folder that its paths start from.
          {hasRepositoryPaths(patch) ? null : <MachinePaths />}
        </span>
      </div>
    </section>
  );
}

/** For source that came without its path in a repository. */
function MachinePaths(): JSX.Element {
  return (
    <>
      {" "}
      Its paths are those that the program reported: where the repository has fewer folders, leave the others out with{" "}
      <code>-p</code>, such as <code>git apply -p2</code>.
    </>
  );
}

function handOver({ root_cause_summary: cause }: Report, patch: Patch): string {
  return patchForAgent(cause, patch);
}

async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.add({ title: done });
  } catch {
    toasts.add({ title: "Not copied", description: "The browser blocked it. Select the text and copy it." });
  }
}
