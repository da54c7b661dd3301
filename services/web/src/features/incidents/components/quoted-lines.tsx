import type { JSX } from "react";
import { CodeBlock } from "../../../components/code-block.tsx";
import type { QuotedCode } from "../quoted-code.ts";

/** Quoted source code with the numbers of its lines, the one that it is about marked. */
export function QuotedLines({ quoted, label }: { readonly quoted: QuotedCode; readonly label: string }): JSX.Element {
  const { code, file, firstLine, line } = quoted;
  return <CodeBlock code={code} language={file} firstLine={firstLine} marked={new Set([line])} label={label} />;
}
