import type { Evidence } from "@whence/protocol";
import { type JSX, useEffect, useState } from "react";
import { useKeys } from "../../../lib/use-keys.ts";
import { Folded } from "../components/folded.tsx";
import { EvidenceList, type EvidenceStep } from "./evidence-list.tsx";
import type { Cited } from "./use-cited.ts";

interface EvidenceFoldProps {
  readonly evidence: readonly Evidence[];
  readonly cited: Cited;
}

/** The evidence, folded: a citation opens it, and so do the keys that go from piece to piece. */
export function EvidenceFold({ evidence, cited }: EvidenceFoldProps): JSX.Element {
  const isCited = evidence.some(({ id }) => id === cited.id);
  const [isOpen, setOpen] = useState(isCited);
  const [step, setStep] = useState<EvidenceStep | null>(null);
  useEffect(() => {
    if (isCited) setOpen(true);
  }, [isCited, cited]);
  const go = (by: EvidenceStep["by"]): void => {
    setOpen(true);
    setStep({ by });
  };
  useKeys({ j: () => go(1), k: () => go(-1) });
  const onToggle = (willBeOpen: boolean): void => {
    setOpen(willBeOpen);
    if (!willBeOpen) setStep(null);
  };
  return (
    <Folded
      title="Evidence"
      note={`${evidence.length} ${evidence.length === 1 ? "piece" : "pieces"}`}
      isOpen={isOpen}
      onToggle={onToggle}
    >
      {() => <EvidenceList evidence={evidence} cited={cited} step={step} />}
    </Folded>
  );
}
