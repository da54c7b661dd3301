import type { CodeLinks } from "@whence/protocol";
import { createContext } from "react";

/** Where the code of the incident's services is, for the places named below. */
export const CodeContext = createContext<readonly CodeLinks[]>([]);
