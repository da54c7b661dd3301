import type { Evidence } from "@whence/protocol";
import { type JSX, useEffect, useRef, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { ExternalLink } from "../../../components/external-link.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Moment } from "../../../components/time.tsx";
import { Prose } from "../components/prose.tsx";
import { QuotedLines } from "../components/quoted-lines.tsx";
import { placeName } from "../place-name.ts";
import { codeOf } from "../quoted-code.ts";
import styles from "./evidence-list.module.css";
import type { Cited } from "./use-cited.ts";

const digestShown = 12;

/** A step from the focused piece of evidence to the next one, or back. */
export interface EvidenceStep {
  readonly by: 1 | -1;
}

interface EvidenceListProps {
  readonly evidence: readonly Evidence[];
  readonly cited: Cited;
  /** The last step that someone took by key; null before that. */
  readonly step: EvidenceStep | null;
}

/** Every piece of evidence, collapsed; the cited one is open and scrolled into view. */
export function EvidenceList({ evidence, cited, step }: EvidenceListProps): JSX.Element {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!evidence.some(({ id }) => id === cited.id)) return;
    setOpen((before) => new Set([...before, cited.id]));
    const summary = document.getElementById(cited.id)?.querySelector<HTMLElement>("summary");
    // Opening it changes the page's height, so scrolling waits for that.
    requestAnimationFrame(() => {
      summary?.focus({ preventScroll: true });
      summary?.scrollIntoView({ block: "center" });
    });
  }, [cited, evidence]);
  useEffect(() => {
    if (step !== null && list.current !== null) focusNext(list.current, step);
  }, [step]);

  const toggle = (id: string, isOpen: boolean): void => {
    setOpen((before) => {
      if (before.has(id) === isOpen) return before;
      const after = new Set(before);
      if (isOpen) after.add(id);
      else after.delete(id);
      return after;
    });
  };
  const allOpen = open.size === evidence.length;
  return (
    <div ref={list} className={styles.evidence}>
      <Button look="quiet" onClick={() => setOpen(new Set(allOpen ? [] : evidence.map(({ id }) => id)))}>
        {allOpen ? "Close all" : `Open all ${evidence.length}`}
      </Button>
      {evidence.map((item) => (
        <details
          key={item.id}
          id={item.id}
          open={open.has(item.id)}
          onToggle={({ currentTarget }) => toggle(item.id, currentTarget.open)}
          data-cited={item.id === cited.id || undefined}
        >
          <summary>
            <Icon name="chevron" size={12} />
            <span className={styles.id}>{item.id}</span>
            <span className={styles.summary}>
              <Prose text={item.summary} />
            </span>
            <span className={styles.kind}>{item.source.kind.replaceAll("_", " ")}</span>
          </summary>
          {open.has(item.id) ? <EvidenceBody item={item} /> : null}
        </details>
      ))}
    </div>
  );
}

function EvidenceBody({ item }: { readonly item: Evidence }): JSX.Element {
  const { source, location, excerpt, range, sha256, observed_at: seen } = item;
  const quoted = codeOf(item);
  const label = `Excerpt of ${item.id}`;
  const facts: readonly (readonly [string, JSX.Element | string])[] = [
    [
      "Source",
      source.url === undefined ? (
        source.name
      ) : (
        <ExternalLink key="source" href={source.url}>
          {source.name}
        </ExternalLink>
      ),
    ],
    ...(location ? ([["Place", <code key="place">{placeName(location)}</code>]] as const) : []),
    ["Observed", <Moment key="observed" at={seen} />],
    ["Bytes", range === null ? "computed, not quoted" : `${range.start} to ${range.end}`],
    [
      "SHA-256 of the source",
      <code key="digest" title={sha256}>
        {sha256.slice(0, digestShown)}…
      </code>,
    ],
  ];
  return (
    <div className={styles.body}>
      {quoted ? (
        <QuotedLines quoted={quoted} label={label} />
      ) : (
        <CodeBlock code={excerpt} language={excerpt.startsWith("{") ? "json" : ""} label={label} />
      )}
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Focuses the piece of evidence after the focused one, or before it; the first when none is focused. */
function focusNext(list: HTMLElement, { by }: EvidenceStep): void {
  const all = [...list.querySelectorAll<HTMLElement>(":scope > details > summary")];
  const at = document.activeElement instanceof HTMLElement ? all.indexOf(document.activeElement) : -1;
  const next = all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + by))];
  next?.focus();
}
