import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import type { CodeToken } from "../lib/highlight.ts";
import styles from "./code-block.module.css";

export interface CodeBlockProps {
  readonly code: string;
  /** A language or a file name, such as `ts` or `cart.ts`. */
  readonly language: string;
  /** The number of the first line; lines aren't numbered without it. */
  readonly firstLine?: number;
  /** The numbers of lines to highlight, counted from `firstLine` or else from 1. */
  readonly marked?: ReadonlySet<number>;
  /** For screen readers: the block is focusable, because long lines scroll. */
  readonly label: string;
}

/** Source code, highlighted once the language's grammar has loaded. */
export function CodeBlock({ code, language, firstLine, marked, label }: CodeBlockProps): JSX.Element {
  const { data: tokens } = useQuery({
    queryKey: ["highlight", language, code],
    queryFn: async () => {
      const { highlightLines, languageOf } = await import("../lib/highlight.ts");
      const name = languageOf(language);
      return name === null ? null : highlightLines(code, name);
    },
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: "always",
    retry: false,
  });
  const lines: readonly (readonly CodeToken[])[] = tokens ?? code.split("\n").map((text) => [{ text, kind: null }]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.block} aria-label={label} tabIndex={0}>
      <pre>
        <code>
          {lines.map((line, index) => (
            <Line
              key={index}
              tokens={line}
              number={firstLine === undefined ? null : firstLine + index}
              isMarked={marked?.has((firstLine ?? 1) + index) ?? false}
            />
          ))}
        </code>
      </pre>
    </section>
  );
}

interface LineProps {
  readonly tokens: readonly CodeToken[];
  readonly number: number | null;
  readonly isMarked: boolean;
}

function Line({ tokens, number, isMarked }: LineProps): JSX.Element {
  const content = tokens.map(({ text, kind }, index) => (
    <span key={index} data-kind={kind ?? undefined}>
      {text}
    </span>
  ));
  return (
    <span className={isMarked ? styles.marked : styles.line}>
      {number === null ? null : <span className={styles.number} data-number={number} />}
      {isMarked ? <mark>{content}</mark> : content}
      {"\n"}
    </span>
  );
}
