/** Whether gateways accept telemetry. */
export interface LivenessStore {
  readonly pulses: GatewayPulses;
}

/** Records that gateways accept telemetry: while none does, a process without telemetry may still be alive. */
export interface GatewayPulses {
  /** Records that gateway `id` has accepted telemetry without a break since `takingSince`. Removes older pulses. */
  beat(pulse: { id: string; takingSince: Date; now: Date; forgetBefore: Date }): Promise<void>;
  /**
   * Returns the time since which a gateway with a pulse at or after `freshSince` has accepted telemetry without a
   * break; null without one.
   */
  takingSince(freshSince: Date): Promise<Date | null>;
}

/** The processes of the scope that stopped reporting and were decided about: no analyzer decides about them again. */
export interface ExitedProcesses {
  /** Those decided about since then. */
  decided(since: Date): Promise<ReadonlySet<string>>;
  note(instances: readonly string[], now: Date): Promise<void>;
  /** Called when an instance reports again, so that its next exit is noticed. */
  forget(instance: string): Promise<void>;
  /** Forgets those decided about before. */
  forgetBefore(moment: Date): Promise<void>;
}
