/** Where the decoy points, in any language, and where the failure really was. */
export const decoy = "decoy";
export const culprit = "checkout";

const at = (where: string, extension: string): string => `/srv/app/src/${where}.${extension}`;

/** A stack as `console.error(error)` prints it. */
export const node = (where: string, message = `${where} failed`, type = "TypeError"): string =>
  `${type}: ${message}\n${nodeFrames(where)}`;

export const nodeFrames = (where: string): string =>
  `    at ${where}Step (${at(where, "js")}:12:9)\n    at handle (${at("server", "js")}:40:5)\n`;

/** What Node prints of an error that nothing caught, and then ends. */
export const nodeCrash = (where: string, message = `${where} failed`): string =>
  `${at(where, "js")}:12\n  return cart.total.amount;\n         ^\n\n${node(where, message)}\nNode.js v22.11.0\n`;

export const python = (where: string, message = `${where} failed`, type = "ValueError"): string =>
  `Traceback (most recent call last):\n  File "${at("server", "py")}", line 40, in handle\n    ${where}_step(order)\n  File "${at(where, "py")}", line 12, in ${where}_step\n    total = order["total"]\n${type}: ${message}\n`;

const javaClass = (where: string): string => `${where.slice(0, 1).toUpperCase()}${where.slice(1)}`;

export const javaFrames = (where: string): string =>
  `\tat com.shop.${where}.${javaClass(where)}.step(${javaClass(where)}.java:12)\n\tat com.shop.Server.handle(Server.java:40)\n`;

export const java = (where: string, message = `${where} failed`): string =>
  `java.lang.IllegalStateException: ${message}\n${javaFrames(where)}`;

export const javaCrash = (where: string, message = `${where} failed`): string =>
  `Exception in thread "main" ${java(where, message)}`;

export const goCrash = (where: string, message = `${where} failed`): string =>
  `panic: ${message}\n\ngoroutine 1 [running]:\nmain.${where}Step(...)\n\t${at(where, "go")}:12\nmain.main()\n\t${at("main", "go")}:40 +0x1d\nexit status 2\n`;

export const goStack = (where: string): string =>
  `${where} failed\nmain.${where}Step\n\t${at(where, "go")}:12\nmain.main\n\t${at("main", "go")}:40\n`;

export const ruby = (where: string, message = `${where} failed`): string =>
  `${at(where, "rb")}:12:in 'step': ${message} (KeyError)\n\tfrom ${at("server", "rb")}:40:in 'handle'\n`;

export const json = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** Puts what a shipper adds before every line. */
export const carried = (prefix: string, text: string): string =>
  `${text
    .trimEnd()
    .split("\n")
    .map((line) => prefix + line)
    .join("\n")}\n`;
