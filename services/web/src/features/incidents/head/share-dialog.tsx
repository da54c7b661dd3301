import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Incident } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { CopyField } from "../../../components/copy-field.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { Select } from "../../../components/select.tsx";
import { Moment, TimeAgo } from "../../../components/time.tsx";
import { sentenceTime } from "../../../lib/times.ts";
import { revokeShare, shareIncident, sharesQuery } from "../api/shares.ts";
import styles from "./share-dialog.module.css";

export interface ShareDialogProps {
  readonly incident: Incident;
  readonly onClose: () => void;
}

/** How long a link works, in hours. */
const lives = [
  { value: "24", name: "1 day" },
  { value: "168", name: "7 days" },
  { value: "720", name: "30 days" },
] as const;
const usualLife = "168";

/** The report as a file, on paper, and by a link for people without an account. */
export default function ShareDialog({ incident: { id }, onClose }: ShareDialogProps): JSX.Element {
  const file = `/api/incidents/${encodeURIComponent(id)}/report`;
  const print = (): void => {
    onClose();
    // The dialog is gone in the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => window.print()));
  };
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} title="Share or export this report">
      <div className={styles.body}>
        <section aria-labelledby="export" className={styles.part}>
          <h3 id="export">Export</h3>
          <p className={styles.files}>
            <a href={`${file}?format=markdown`} download={`${id}.md`}>
              Download Markdown
            </a>
            <a href={`${file}?format=json`} download={`${id}.json`}>
              Download JSON
            </a>
            <Button onClick={print}>Print</Button>
          </p>
        </section>
        <ShareLinks id={id} />
      </div>
    </Dialog>
  );
}

function ShareLinks({ id }: { readonly id: string }): JSX.Element {
  const queryClient = useQueryClient();
  const [hours, setHours] = useState<string>(usualLife);
  const shares = useQuery(sharesQuery(id));
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: sharesQuery(id).queryKey });
  const share = useMutation({ mutationFn: () => shareIncident(id, Number(hours)), onSettled: refresh });
  const revoke = useMutation({ mutationFn: (shareId: string) => revokeShare(id, shareId), onSettled: refresh });
  const error = share.error ?? revoke.error;
  return (
    <section aria-labelledby="link" className={styles.part}>
      <h3 id="link">Link for people without an account</h3>
      <p className={styles.soft}>
        Anyone with the link can read the title, the cause, how it happened, and what to do. The evidence isn't shown,
        but these sentences can name a route or a host, and quote a value from an error or a variable. Read them before
        you share.
      </p>
      <div className={styles.create}>
        <Select
          label="The link works for"
          options={lives}
          value={hours}
          onChange={({ target }) => setHours(target.value)}
        />
        <Button busy={share.isPending} onClick={() => share.mutate()}>
          Create link
        </Button>
      </div>
      {error ? <Problem error={error} /> : null}
      {share.data ? (
        <div role="status">
          <CopyField label="Link, which won't be shown again" value={share.data.url} />
        </div>
      ) : null}
      <Loaded query={shares} lines={2}>
        {(found) => (
          <Rows none="No links">
            {found.map((one) => (
              <Row
                key={one.id}
                title={
                  <>
                    Works until <Moment at={one.expires_at} />
                  </>
                }
                facts={[
                  `by ${one.created_by}`,
                  one.last_opened_at === null ? (
                    "never opened"
                  ) : (
                    <>
                      opened {one.opened === 1 ? "once" : `${one.opened.toLocaleString()} times`}, last{" "}
                      <TimeAgo at={one.last_opened_at} />
                    </>
                  ),
                ]}
                actions={
                  <Button
                    look="danger"
                    aria-label={`Revoke the link of ${one.created_by} that works until ${sentenceTime(one.expires_at, Date.now())}`}
                    onClick={() => revoke.mutate(one.id)}
                  >
                    Revoke
                  </Button>
                }
              />
            ))}
          </Rows>
        )}
      </Loaded>
    </section>
  );
}
