import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { toasts } from "../../../components/toasts.tsx";
import styles from "./copied-code.module.css";

/** Code with a button to copy it. */
export function CopiedCode({
  code,
  language,
  label,
}: {
  readonly code: string;
  readonly language: string;
  readonly label: string;
}): JSX.Element {
  return (
    <div className={styles.code}>
      <CodeBlock code={code} language={language} label={label} />
      <Button icon="copy" aria-label={`Copy: ${label}`} onClick={() => void copy(code)} />
    </div>
  );
}

async function copy(code: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(code);
    toasts.add({ title: "Copied" });
  } catch {
    toasts.add({ title: "Not copied", description: "The browser blocked it. Select the text and copy it." });
  }
}
