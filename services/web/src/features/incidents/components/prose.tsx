import type { Evidence } from "@whence/protocol";
import { createContext, Fragment, type JSX, useContext } from "react";
import { Moment } from "../../../components/time.tsx";
import { splitCitations } from "../citations.ts";
import styles from "./prose.module.css";

/** The evidence that the prose below may cite, by ID. */
export const EvidenceContext = createContext<ReadonlyMap<string, Evidence>>(new Map());

/** What a citation calls with its evidence when someone follows it. */
export const FollowContext = createContext<(id: string) => void>(() => undefined);

/** A sentence of a report: citations are links to the evidence, and text between backticks is code. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  const parts = text.split(/`([^`]+)`/);
  return (
    <>
      {parts.map((part, index) => (
        <Fragment key={index}>{index % 2 === 1 ? <code>{part}</code> : <Cited text={part} />}</Fragment>
      ))}
    </>
  );
}

/** Text whose citations are links, and whose times are in the reader's time zone. */
export function Cited({ text }: { readonly text: string }): JSX.Element {
  const pieces = splitCitations(text).map((piece, index) => {
    if ("cites" in piece) return <Citation key={index} id={piece.cites} />;
    return "at" in piece ? <Moment key={index} at={piece.at} /> : piece.text;
  });
  return <>{pieces}</>;
}

/** Opens the cited evidence. An ID without evidence isn't a link, and says so. */
export function Citation({ id }: { readonly id: string }): JSX.Element {
  const evidence = useContext(EvidenceContext).get(id);
  const follow = useContext(FollowContext);
  if (!evidence) return <span title="This evidence isn't in the report">[{id}]</span>;
  return (
    <a
      href={`#${id}`}
      className={styles.citation}
      title={evidence.summary.replaceAll("`", "")}
      onClick={() => follow(id)}
    >
      {id}
    </a>
  );
}

/** The citations of a statement that lists them separately. */
export function Citations({ ids }: { readonly ids: readonly string[] }): JSX.Element {
  return (
    <span className={styles.citations}>
      {ids.map((id) => (
        <Citation key={id} id={id} />
      ))}
    </span>
  );
}
