import { useQueryClient } from "@tanstack/react-query";
import { type JSX, Suspense, useState } from "react";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Placeholder } from "../../../components/placeholder.tsx";
import { sessionQuery } from "../api/get-session.ts";
import { replaceBackupCodes, type TwoFactorSetup as Setup, startTwoFactor, stopTwoFactor } from "../api/two-factor.ts";
import { BackupCodes } from "./backup-codes.tsx";
import { PasswordForm } from "./password-form.tsx";
import styles from "./two-factor.module.css";

/** Few people set it up, and only then is the QR code drawn. */
const TwoFactorSetup = lazyPart(async () => ({ default: (await import("./two-factor-setup.tsx")).TwoFactorSetup }));

/** Where the person is in a change of their second factor. */
type Step =
  | { readonly at: "rest" }
  | { readonly at: "starting" | "stopping" | "replacing" }
  | { readonly at: "scanning"; readonly setup: Setup }
  | { readonly at: "codes"; readonly codes: readonly string[] };

/** Sets up and turns off the second factor of a sign-in with a password. */
export function TwoFactor({ isOn }: { readonly isOn: boolean }): JSX.Element {
  const [step, setStep] = useState<Step>({ at: "rest" });
  return (
    <Panel
      title="Two-factor sign-in"
      note="Your password and a code of an authenticator app. A sign-in provider asks for its own second factor instead."
    >
      <CurrentStep step={step} isOn={isOn} setStep={setStep} />
    </Panel>
  );
}

interface CurrentStepProps {
  readonly step: Step;
  readonly isOn: boolean;
  readonly setStep: (step: Step) => void;
}

function CurrentStep({ step, isOn, setStep }: CurrentStepProps): JSX.Element {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries(sessionQuery);
  const rest = () => setStep({ at: "rest" });
  switch (step.at) {
    case "rest":
      return <Rest isOn={isOn} setStep={setStep} />;
    case "starting": {
      const start = async (password: string) => setStep({ at: "scanning", setup: await startTwoFactor(password) });
      return <PasswordForm action="Continue" change={start} onCancel={rest} />;
    }
    case "scanning": {
      const finish = async () => {
        setStep({ at: "codes", codes: step.setup.backupCodes });
        await refresh();
      };
      return (
        <Suspense fallback={<Placeholder lines={4} />}>
          <TwoFactorSetup setup={step.setup} onDone={finish} />
        </Suspense>
      );
    }
    case "codes":
      return <BackupCodes codes={step.codes} onKept={rest} />;
    case "replacing": {
      const replace = async (password: string) => setStep({ at: "codes", codes: await replaceBackupCodes(password) });
      return <PasswordForm action="Replace backup codes" change={replace} onCancel={rest} />;
    }
    case "stopping": {
      const stop = async (password: string) => {
        await stopTwoFactor(password);
        rest();
        await refresh();
      };
      return <PasswordForm action="Turn off two-factor sign-in" change={stop} onCancel={rest} />;
    }
  }
}

function Rest({ isOn, setStep }: Omit<CurrentStepProps, "step">): JSX.Element {
  if (!isOn) {
    return (
      <div>
        <Button onClick={() => setStep({ at: "starting" })}>Set up two-factor sign-in</Button>
      </div>
    );
  }
  return (
    <>
      <p>
        <Badge tone="good">on</Badge>
      </p>
      <div className={styles.actions}>
        <Button onClick={() => setStep({ at: "replacing" })}>Replace backup codes</Button>
        <Button onClick={() => setStep({ at: "stopping" })}>Turn off</Button>
      </div>
    </>
  );
}
