import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { instructionsQuery } from "../api/instructions.ts";
import { SettingsPage } from "../components/settings-page.tsx";
import { useViewer } from "../viewer.ts";
import { InstructionsEditor } from "./instructions-editor.tsx";
import { InstructionsHistory } from "./instructions-history.tsx";
import styles from "./instructions-page.module.css";
import { UnderstoodLines } from "./understood-lines.tsx";

/** The instructions for every analysis of the organization. */
export function InstructionsPage(): JSX.Element {
  const { isOwner } = useViewer();
  const instructions = useQuery(instructionsQuery);
  return (
    <SettingsPage
      title="Custom instructions"
      lead="What isn't in the logs: how services depend on each other, what is normal, where to look first. A connected language model reads it as your preferences, and it can't change what counts as evidence. Don't enter secrets."
      owners="can edit the instructions"
    >
      <Loaded query={instructions} lines={8}>
        {(current) => (
          <>
            {isOwner ? <InstructionsEditor current={current} /> : <Text text={current.text} />}
            <UnderstoodLines text={current.text} />
          </>
        )}
      </Loaded>
      <InstructionsHistory />
    </SettingsPage>
  );
}

function Text({ text }: { readonly text: string }): JSX.Element {
  return (
    <Panel title="Current instructions">
      {text === "" ? <p className={styles.soft}>No instructions yet.</p> : <p className={styles.text}>{text}</p>}
    </Panel>
  );
}
