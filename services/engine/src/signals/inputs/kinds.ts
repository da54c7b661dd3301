import { alert } from "./alert.ts";
import { breadcrumb } from "./breadcrumb.ts";
import { call } from "./call.ts";
import { codeInput } from "./code.ts";
import { exception } from "./exception.ts";
import { frame } from "./frame.ts";
import { localValues } from "./local-values.ts";
import { mechanism } from "./mechanism.ts";
import { recordInput } from "./record.ts";
import { request } from "./request.ts";
import { signature } from "./signature.ts";
import { textInput } from "./text.ts";

/** Every kind of evidence in the input. */
export const inputKinds = {
  [exception.name]: exception,
  [frame.name]: frame,
  [codeInput.name]: codeInput,
  [localValues.name]: localValues,
  [breadcrumb.name]: breadcrumb,
  [call.name]: call,
  [request.name]: request,
  [mechanism.name]: mechanism,
  [signature.name]: signature,
  [recordInput.name]: recordInput,
  [alert.name]: alert,
  [textInput.name]: textInput,
};
