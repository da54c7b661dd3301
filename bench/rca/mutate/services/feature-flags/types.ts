export type Value = boolean | string | number | object;

export interface Condition {
  attribute?: string;
  in?: unknown[];
  is?: unknown;
  segment?: string;
}

export interface Serve {
  value?: Value;
  percent?: number;
}

export interface Flag {
  enabled: boolean;
  rules: { if: Condition; serve: Serve }[];
  default: Serve;
  requires?: string[];
}

export interface User {
  id: string;
  groups: string[];
  [attribute: string]: unknown;
}
