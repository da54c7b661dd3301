import type { ChainLink, Report } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Moment } from "../../../components/time.tsx";
import { ownLine } from "../../../lib/own-line.ts";
import { Citations, Prose } from "../components/prose.tsx";
import { Section } from "../components/section.tsx";
import { SourcePlace } from "../components/source-place.tsx";
import styles from "./how-it-happened.module.css";
import { shownSteps, untoldSteps } from "./told-steps.ts";

/** How the cause led to the failure: what the cause's sentence doesn't tell, five steps at first. */
export function HowItHappened({ report }: { readonly report: Report }): JSX.Element | null {
  const [areAllShown, showAll] = useState(false);
  const steps = untoldSteps(report);
  if (steps.length === 0) return null;
  const shown = areAllShown ? steps : shownSteps(steps);
  const left = steps.length - shown.length;
  return (
    <Section title="How it happened">
      <ol className={styles.chain} aria-label="Causal chain, to the symptom">
        {shown.map((link, index) => (
          <li key={`${index} ${link.what}`}>
            <span className={styles.mark} aria-hidden="true" />
            <div className={styles.link}>
              <p className={styles.what}>
                <Prose text={ownLine(link.what)} /> <Citations ids={link.evidence_ids} />
              </p>
              <Where link={link} />
            </div>
          </li>
        ))}
      </ol>
      {left > 0 ? (
        <div>
          <Button look="quiet" onClick={() => showAll(true)}>
            Show {left} more {left === 1 ? "step" : "steps"}
          </Button>
        </div>
      ) : null}
    </Section>
  );
}

function Where({ link }: { readonly link: ChainLink }): JSX.Element | null {
  const { location, service, release, at } = link;
  const owner = [service, release].filter((part) => part !== undefined).join(" ");
  if (!location && owner === "" && at === undefined) return null;
  return (
    <p className={styles.where}>
      {owner === "" ? null : <span>{owner}</span>}
      {location ? <SourcePlace service={service ?? null} release={release ?? null} location={location} /> : null}
      {at === undefined ? null : <Moment at={at} />}
    </p>
  );
}
