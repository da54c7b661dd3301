/** `node --import @whence/node/register`: starts the client before the program, with options from the environment. */
import { init } from "./index.ts";
import { optionsFromEnvironment } from "./options.ts";

init(optionsFromEnvironment());
