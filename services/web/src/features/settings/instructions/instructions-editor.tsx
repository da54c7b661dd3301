import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Instructions, instructionsLengthMax } from "@whence/protocol";
import { type FormEvent, type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Problem } from "../../../components/problem.tsx";
import { TextArea } from "../../../components/text-area.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { instructionsQuery, writeInstructions } from "../api/instructions.ts";
import { useChange } from "../use-change.ts";
import { InstructionsDiff } from "./instructions-diff.tsx";
import styles from "./instructions-page.module.css";

const statusConflict = 409;
const count = new Intl.NumberFormat();

/** The text being edited, and the version it started from. */
interface Draft {
  readonly text: string;
  readonly version: number;
}

/** Writes the next version. Keeps what was typed when someone else saves first. */
export function InstructionsEditor({ current }: { readonly current: Instructions }): JSX.Element {
  const queryClient = useQueryClient();
  const change = useChange();
  const [draft, setDraft] = useState<Draft | null>(null);
  const saving = useMutation({
    mutationFn: (written: Draft) => change(writeInstructions(written), "Instructions saved"),
    onSuccess: () => setDraft(null),
    onError: (error) => {
      if (isConflict(error)) void queryClient.invalidateQueries(instructionsQuery);
    },
  });
  const { text, version } = draft ?? current;
  const isOvertaken = draft !== null && draft.version !== current.version && draft.text !== current.text;
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (draft) saving.mutate(draft);
  };
  const startOver = (next: Draft | null): void => {
    saving.reset();
    setDraft(next);
  };
  return (
    <form onSubmit={onSubmit} className={styles.editor}>
      <TextArea
        label="Instructions"
        rows={14}
        maxLength={instructionsLengthMax}
        value={text}
        hint={`${count.format(text.length)} of ${count.format(instructionsLengthMax)} characters`}
        onChange={({ target }) => setDraft({ text: target.value, version })}
      />
      {saving.error && !isConflict(saving.error) ? <Problem error={saving.error} /> : null}
      {isOvertaken ? (
        <Overtaken current={current} draft={draft} keep={(version) => startOver({ text: draft.text, version })} />
      ) : null}
      <div className={styles.buttons}>
        <Button
          type="submit"
          look="main"
          busy={saving.isPending}
          disabled={draft === null || draft.text === current.text || isOvertaken}
        >
          Save
        </Button>
        {draft === null ? null : (
          <Button onClick={() => startOver(null)}>{isOvertaken ? "Use theirs" : "Discard changes"}</Button>
        )}
      </div>
    </form>
  );
}

function isConflict(error: Error): boolean {
  return error instanceof ApiError && error.status === statusConflict;
}

interface OvertakenProps {
  readonly current: Instructions;
  readonly draft: Draft;
  /** Keeps the person's own text, based on the other version. */
  readonly keep: (version: number) => void;
}

function Overtaken({ current, draft, keep }: OvertakenProps): JSX.Element {
  return (
    <div role="alert" className={styles.overtaken}>
      <p>
        {current.changed_by?.name ?? "Someone"} saved version {current.version} while you were editing. Your text is
        still above. It would change theirs like this:
      </p>
      <InstructionsDiff before={current.text} after={draft.text} label="Your changes to their version" />
      <div>
        <Button onClick={() => keep(current.version)}>Keep mine</Button>
      </div>
    </div>
  );
}
