import type { KeyedMonitor } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { CopyField } from "../../../components/copy-field.tsx";
import styles from "../components/settings-page.module.css";

export interface CheckInKeyProps {
  /** The response to a change of a monitor; nothing is shown when it contains no key. */
  readonly keyed: KeyedMonitor | null;
  readonly onDone: () => void;
}

/** The address of a job's check-ins with its key, shown only once. */
export function CheckInKey({ keyed, onDone }: CheckInKeyProps): JSX.Element | null {
  if (!keyed?.monitor.check_in || keyed.check_in_key === null) return null;
  const address = `${keyed.monitor.check_in.url}?key=${keyed.check_in_key}`;
  return (
    <div className={styles.notice} role="status" ref={(notice) => notice?.scrollIntoView({ block: "center" })}>
      <p>
        Have the job of <strong>{keyed.monitor.name}</strong> open this address at the end of each run. Copy it now; its
        key won't be shown again.
      </p>
      <CopyField label="Check-in address" value={address} />
      <CopyField label="For a crontab" value={`curl -fsS -m 10 --retry 5 "${address}"`} />
      <p>
        Add <code>&amp;status=error</code> for a run that failed, and <code>&amp;status=in_progress</code> for one that
        begins. <a href="/docs/monitors#check-ins">More about check-ins</a>
      </p>
      <div>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}
