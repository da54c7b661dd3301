import { useQuery } from "@tanstack/react-query";
import type { Instructions } from "@whence/protocol";
import type { JSX } from "react";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { instructionsHistoryQuery } from "../api/instructions.ts";
import { InstructionsDiff } from "./instructions-diff.tsx";
import styles from "./instructions-page.module.css";

/** Every stored version, with its changes. */
export function InstructionsHistory(): JSX.Element {
  const history = useQuery(instructionsHistoryQuery);
  return (
    <Panel title="History" note="The newest hundred versions are kept.">
      <Loaded query={history} lines={3}>
        {({ versions }) =>
          versions.length === 0 ? (
            <p className={styles.soft}>No instructions yet.</p>
          ) : (
            <div className={styles.versions}>
              {versions.map((version, index) => (
                <Version key={version.version} version={version} before={versions[index + 1]} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}

interface VersionProps {
  readonly version: Instructions;
  /** Undefined for the oldest stored version. */
  readonly before: Instructions | undefined;
}

function Version({ version, before }: VersionProps): JSX.Element {
  const { changed_at, changed_by, text } = version;
  return (
    <details>
      <summary>
        Version {version.version}
        <span className={styles.soft}>
          {changed_by?.name ?? "unknown author"}
          {changed_at === null ? null : (
            <>
              {" · "}
              <TimeAgo at={changed_at} />
            </>
          )}
        </span>
      </summary>
      <InstructionsDiff before={before?.text ?? ""} after={text} label={`Changes in version ${version.version}`} />
    </details>
  );
}
