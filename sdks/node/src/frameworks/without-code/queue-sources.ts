import { waitingWorkName } from "./waiting-work.ts";

export const work: string = `globalThis[Symbol.for("${waitingWorkName}")]`;
const hold = (item: string): string => `;${work}?.hold(${item});`;
const held = (name: string): string => `;${name}=${work}?.held(${name})??${name};`;
const take = (item: string): string => `;var whence=${work}?.take(${item});`;
/** For code at the bottom of a stack, where there is nothing to return to. */
const enter = (item: string): string => `;${work}?.take(${item});`;
/** A version of a library may have moved the other place, which must not fail. */
export const back: string = `;${work}?.back(typeof whence==="object"?whence:undefined);`;

/** `async` has its queue both in a file of its own and in its bundle. */
const asyncQueue = [
  { after: /^ +q\._tasks\.(?:unshift|push)\(item\);$/gm, text: hold("item") },
  {
    after: /^ +var cb = .*[oO]nlyOnce.*\((?:_createCB|_next)\(tasks\)\);$/m,
    text: take("tasks.length===1?tasks[0]:undefined"),
  },
  { after: /^ +_worker\(data, cb\);$/m, text: back },
];

/**
 * The places where queues and pools accept work and run it, by the file's path in `node_modules`. They keep it in lists
 * that Node's context tracking doesn't follow, so the work would run as part of the request that made room for it.
 */
export const queueAdditions: Readonly<Record<string, readonly { readonly after: RegExp; readonly text: string }[]>> = {
  "fastq/queue.js": [
    { after: /^ +current\.value = value$/gm, text: hold("current") },
    { after: /^ +next\.next = null$/m, text: take("next") },
    { after: /^ +worker\.call\(context, next\.value, next\.worked\)$/m, text: back },
  ],
  "p-queue/dist/index.js": [
    {
      after:
        /^ +(?:this\.emit\('active'\);$(?=\n +job\(\);$)|const job = this\.#queue\.dequeue\(\);$(?=\n +if \(!this))/m,
      text: take("job"),
    },
    { after: /^ +job\(\);$/m, text: back },
  ],
  "p-queue/dist/priority-queue.js": [{ after: /^ +enqueue\(run, options\) \{$/m, text: `;${work}?.holdFirst(run);` }],
  "p-limit/index.js": [
    { after: /^\tconst enqueue = \(fn, resolve, \.\.\.args\) => \{$/m, text: hold("resolve") },
    { after: /^\tconst run = async \(fn, resolve, \.\.\.args\) => \{$/m, text: take("resolve") },
    { after: /^\t\tresolve\(result\);$/m, text: back },
  ],
  "async/dist/async.js": asyncQueue,
  "async/internal/queue.js": asyncQueue,
  "pg-pool/index.js": [
    { after: /^ +this\.callback = callback$/m, text: hold("this") },
    { after: /^ +if \(!pendingItem\.timedOut\) \{$/gm, text: take("pendingItem") },
    { after: /^ +pendingItem\.callback\((?:hookErr|err), undefined, NOOP\)$/gm, text: back },
    {
      after: /^ {8}\}\)\n {6}\} else \{\n {8}pendingItem\.callback\(undefined, client, client\.release\)$/m,
      text: back,
    },
  ],
  "pg/lib/client.js": [
    { after: /^ +this\._?queryQueue\.push\(query\)$/m, text: hold("query") },
    {
      after: /^ +this\._?activeQuery = this\._?(?:q|sentQ)ueryQueue\.shift\(\)$/gm,
      text: `;${work}?.carry(this.connection,this)`,
    },
  ],
  "pg/lib/connection.js": [
    { after: /^ +(?:const|var) eventName = msg\.name === 'error' \? 'errorMessage' : msg\.name$/m, text: take("this") },
    { after: /^ +this\.emit\(eventName, msg\)$/m, text: back },
  ],
  "mysql/lib/Pool.js": [
    { after: /^Pool\.prototype\.getConnection = function \(cb\) \{$/m, text: held("cb") },
    { after: /^ +pool\.emit\('acquire', connection\);$/gm, text: take("cb") },
    { after: /^ +cb\(null, connection\);$/gm, text: back },
    { after: /^ {8}pool\._purgeConnection\(connection\);$(?=\n +cb\(err\);$)/m, text: take("cb") },
    { after: /(?<=^ {8}pool\._purgeConnection\(connection\);.*\n) +cb\(err\);$/m, text: back },
  ],
  "mysql/lib/protocol/Protocol.js": [
    { after: /^ +var sequence = this\._queue\[0\];$/m, text: take("sequence") },
    { after: /^ +sequence\.RowDataPacket\(packet, this\._parser, this\._connection\);$/m, text: back },
    { after: /^ +sequence\[packetName\]\(packet\);$/m, text: back },
  ],
  "mysql/lib/protocol/sequences/Sequence.js": [
    { after: /^ +this\._ended += {1,2}false;$/m, text: hold("this") },
    { after: /^ +this\._ended = true;$/m, text: take("this") },
    { after: /^ {6}this\.emit\('end'\);\n {4}\}\n {2}\}$/m, text: back },
  ],
  "mysql2/lib/base/pool.js": [
    {
      after: /^ +(?:const _getConnection = \(cb\) => \{|getConnection\(cb\) \{(?!\n +const _getConnection))$/m,
      text: held("cb"),
    },
    { after: /^ +cb = this\._connectionQueue\.shift\(\);$/gm, text: take("cb") },
    {
      after:
        /^ +process\.nextTick\((?:(?:this\.getConnection\.bind\(this, cb|cb\.bind\(null, null, connection)\)|\(\) => \{\n[^}]+\})\);$/gm,
      text: back,
    },
  ],
  "mysql2/lib/commands/command.js": [
    { after: /^ +this\.next = null;$/m, text: hold("this") },
    { after: /^ +execute\(packet, connection\) \{$/m, text: enter("this") },
  ],
};

/** The number of a package's files in {@link queueAdditions} that may be ES modules. */
export const esModuleQueueCounts: Readonly<Record<string, number>> = { "p-queue": 2 };
