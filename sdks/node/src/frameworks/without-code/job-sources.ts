import { back, work } from "./queue-sources.ts";
import { watchedJobsName } from "./watched-jobs.ts";

const jobs = `globalThis[Symbol.for("${watchedJobsName}")]`;
const begin = (job: string): string => `;var whence=${jobs}?.begin(${job});`;
const failed = (kind: string, error: string): string => `;${jobs}?.failed("${kind}",${error});`;

/** Nest's wrapper of a handler. Its caller waits for it, and continues as part of the handler's unit of work. */
const asyncWrapper = /^ +return async \(\.\.\.args\) => \{$/m;

/**
 * The places where schedulers, queues, and microservices run the program's jobs and handle their errors, by the file's
 * path in `node_modules`.
 */
export const jobAdditions: Readonly<Record<string, readonly { readonly after: RegExp; readonly text: string }[]>> = {
  "@nestjs/schedule/dist/schedule.explorer.js": [
    { after: asyncWrapper, text: begin("methodRef,instance") },
    { after: /^ +catch \(error\) \{$(?=\n +this\.logger\.error\(error\);$)/m, text: failed("nestjs", "error") },
  ],
  // A task that has begun returns to its caller's context: a program may start one as part of a request.
  "cron/dist/job.js": [
    { after: /^ +for \(const callback of this\._callbacks\) \{$/m, text: `;var whence=${work}?.here();` },
    { after: /^ +(?:const result = |void )?callback\.call\(this\.context, this\.onComplete\);$/m, text: back },
  ],
  "@nestjs/microservices/context/rpc-proxy.js": [{ after: asyncWrapper, text: begin("args[1]") }],
  "@nestjs/microservices/exceptions/base-rpc-exception-filter.js": [
    {
      after: /^ +handleUnknownError\(exception, status\) \{$/m,
      text: `;${jobs}?.answered("nestjs",exception);`,
    },
  ],
  "bullmq/dist/cjs/classes/worker.js": [
    { after: /^ +const token = job\.token;$/m, text: begin("job") },
    { after: /^ +asyncFifoQueue\.add\(.*this\.processJob\(job, token, .*\);$/m, text: back },
    { after: /^ +\}$(?=\n +(?:const result = )?await job\.moveToFailed\(err, )/m, text: failed("bullmq", "err") },
  ],
};

/** The number of a package's files in {@link jobAdditions} that may be ES modules. */
export const esModuleJobCounts: Readonly<Record<string, number>> = {
  "@nestjs/schedule": 1,
  "@nestjs/microservices": 2,
};
