import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type JSX, useState } from "react";
import { Button } from "../../components/button.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Panel } from "../../components/panel.tsx";
import { Placeholder } from "../../components/placeholder.tsx";
import { Problem } from "../../components/problem.tsx";
import { paths } from "../../config/paths.ts";
import { startAnalysis } from "../../features/analyze/api/start-analysis.ts";
import { addFiles, readFiles } from "../../features/analyze/attached-files.ts";
import { FilePicker } from "../../features/analyze/components/file-picker.tsx";
import { Preview } from "../../features/analyze/components/preview.tsx";
import { TextInput } from "../../features/analyze/components/text-input.tsx";
import { emptyDraft, textProblem, useDraft } from "../../features/analyze/draft.ts";
import { usePreview } from "../../features/analyze/use-preview.ts";
import styles from "./analyze.module.css";

/** Analyzes an error that isn't in telemetry: paste it, check the preview, send it. */
export function AnalyzeRoute(): JSX.Element {
  const [draft, change] = useDraft();
  const [refused, setRefused] = useState<readonly string[]>([]);
  const navigate = useNavigate();
  const sending = useMutation({
    mutationFn: () => startAnalysis({ error_log: draft.text, files: draft.files.map(withoutSize) }),
    onSuccess: async (id) => {
      await navigate({ to: paths.incident, params: { id } });
      change(() => emptyDraft);
    },
  });
  const problem = textProblem(draft.text);
  const canSend = draft.text.trim() !== "" && problem === null && !sending.isPending;
  const send = (): void => {
    if (canSend) sending.mutate();
  };
  const add = async (chosen: readonly File[]): Promise<void> => {
    const incoming = await readFiles(chosen);
    setRefused(addFiles(draft.files, incoming).refused);
    change((latest) => ({ ...latest, files: addFiles(latest.files, incoming).read }));
  };
  return (
    <div className={styles.page}>
      <PageTitle title="Analyze" />
      <div className={styles.columns}>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <TextInput
            value={draft.text}
            problem={problem}
            onChange={(text) => change((latest) => ({ ...latest, text }))}
            onSend={send}
          />
          <FilePicker
            files={draft.files}
            refused={refused}
            onAdd={(chosen) => void add(chosen)}
            onRemove={(name) =>
              change((latest) => ({ ...latest, files: latest.files.filter((file) => file.name !== name) }))
            }
          />
          {sending.error ? <Problem error={sending.error} retry={send} /> : null}
          <div className={styles.send}>
            <Button type="submit" look="main" disabled={!canSend} busy={sending.isPending}>
              Analyze
            </Button>
            <span className={styles.soft}>
              <kbd>Ctrl</kbd> or <kbd>⌘</kbd> <kbd>Enter</kbd>
            </span>
          </div>
        </form>
        <Panel title="Preview" note="No investigation starts and nothing is stored until you choose Analyze.">
          <Reading draft={draft} />
        </Panel>
      </div>
    </div>
  );
}

function Reading({ draft }: { readonly draft: Parameters<typeof usePreview>[0] }): JSX.Element {
  const { data: preview, error, isFetching, refetch } = usePreview(draft);
  if (error) {
    return (
      <>
        <Problem error={error} retry={() => void refetch()} />
        <p className={styles.soft}>You can still send it.</p>
      </>
    );
  }
  if (preview) return <Preview preview={preview} files={draft.files} />;
  if (isFetching) return <Placeholder lines={5} />;
  return <p className={styles.empty}>Paste an error to see how it is read: its frames, and known failures like it.</p>;
}

function withoutSize({ name, content }: { readonly name: string; readonly content: string }) {
  return { name, content };
}
