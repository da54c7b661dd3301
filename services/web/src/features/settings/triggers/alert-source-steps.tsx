import type { AlertSource, AlertSourceKind } from "@whence/protocol";
import type { JSX } from "react";
import { CopyField } from "../../../components/copy-field.tsx";
import { Markdown } from "../../../components/markdown.tsx";
import styles from "./alert-source-steps.module.css";

export interface AlertSourceStepsProps {
  readonly source: Pick<AlertSource, "setup">;
  readonly kind: Pick<AlertSourceKind, "kind" | "label">;
}

/** How to set up a sender, in short, as the API says, with a link to the documentation. */
export function AlertSourceSteps({ source: { setup }, kind: { kind, label } }: AlertSourceStepsProps): JSX.Element {
  return (
    <div className={styles.steps}>
      <Markdown
        source={setup}
        renderText={(text) => text}
        renderCode={({ text, lang }) => <CopyField label={lang || "Text to copy"} value={text} />}
      />
      <p>
        The sender must be able to reach the address. <a href={`/docs/triggers/${kind}`}>Instructions for {label}</a>
      </p>
    </div>
  );
}
