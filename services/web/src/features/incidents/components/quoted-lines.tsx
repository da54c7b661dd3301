import type { JSX } from "react";
import { CodeBlock } from "../../../components/code-block.tsx";
import type { QuotedCode } from "../quoted-code.ts";

export interface QuotedLinesProps {
  readonly quoted: QuotedCode;
  readonly label: string;
  /** Whether the relevant line is highlighted; true by default. */
  readonly isMarked?: boolean;
}

/** Quoted source code with line numbers. */
export function QuotedLines({ quoted, label, isMarked = true }: QuotedLinesProps): JSX.Element {
  const { code, file, firstLine, line } = quoted;
  const marked = new Set(isMarked ? [line] : []);
  return <CodeBlock code={code} language={file} firstLine={firstLine} marked={marked} label={label} />;
}
