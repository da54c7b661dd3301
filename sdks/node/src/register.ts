/** `node --import @whence/node/register`: starts the client before the program, with options from the environment. */

import { optionsFromEnvironment } from "./environment-options.ts";
import { init } from "./index.ts";

init(optionsFromEnvironment());
