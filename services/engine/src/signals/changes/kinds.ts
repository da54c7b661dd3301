import { data } from "./data.ts";
import { dependency } from "./dependency.ts";
import { functionChange } from "./function.ts";
import { line } from "./line.ts";
import { name } from "./name.ts";
import { only } from "./only.ts";
import { setting } from "./setting.ts";

/** Every kind of change in a release. */
export const changeKinds = {
  [name.name]: name,
  [setting.name]: setting,
  [dependency.name]: dependency,
  [data.name]: data,
  [line.name]: line,
  [functionChange.name]: functionChange,
  [only.name]: only,
};
