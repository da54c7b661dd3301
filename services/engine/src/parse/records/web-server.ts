import { levelOf } from "./level.ts";
import { lineRecord, type RecordFormat } from "./line-record.ts";
import { readTime } from "./time.ts";

const nginxError =
  /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \[(?<level>[a-z]{3,8})\] \d{1,10}#\d{1,10}: (?:\*\d{1,20} )?(?<message>.*)$/;
const apacheError =
  /^\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:.]{8,16} \d{4}\] \[(?:[\w-]{0,40}:)?(?<level>[a-z]{3,8}\d?)\] (?:\[pid [^\]]{1,40}\] )?(?:\[client (?<client>[^\]]{1,80})\] )?(?<message>.*)$/;
const access =
  /^(?<client>[\w.:-]{1,64}) \S{1,64} \S{1,64} \[(?<time>[^\]]{20,32})\] "(?<method>[A-Z]{3,10}) (?<path>\S{1,4000})(?: HTTP\/[\d.]{1,3})?" (?<status>\d{3}) (?:\d{1,15}|-)(?<rest>.*)$/;
/** `, client: 10.0.0.9, server: shop, request: "GET / HTTP/1.1", upstream: "http://…", host: "…"`. */
const detail = /, (client|server|request|subrequest|upstream|host|referrer): (?:"([^"]{0,2000})"|([^,]{0,300}))/g;

/** nginx error lines. */
export const nginxErrorFormat: RecordFormat = {
  name: "nginx error log",
  read(text) {
    const groups = nginxError.exec(text)?.groups;
    if (!groups) return null;
    const said = groups.message ?? "";
    const fields = Object.fromEntries(
      [...said.matchAll(detail)].map(([, name = "", quoted, plain = ""]) => [name, quoted ?? plain]),
    );
    const end = said.search(/, (?:client|server): /);
    return lineRecord(end < 0 ? said : said.slice(0, end), { level: levelOf(groups.level), logger: "nginx", fields });
  },
};

/** Apache httpd error lines. */
export const apacheErrorFormat: RecordFormat = {
  name: "Apache error log",
  read(text) {
    const groups = apacheError.exec(text)?.groups;
    if (!groups) return null;
    const level = levelOf(groups.level) ?? (groups.level?.startsWith("trace") ? "trace" : null);
    const fields = groups.client === undefined ? {} : { client: groups.client };
    return lineRecord(groups.message ?? "", { level, logger: "apache", fields });
  },
};

/** Access lines in the common and combined formats. A 5xx is a server error, a 4xx a client error. */
export const accessFormat: RecordFormat = {
  name: "access log (common, combined)",
  read(text) {
    const groups = access.exec(text)?.groups;
    if (!groups) return null;
    const status = Number(groups.status);
    const { client = "", method = "", path = "" } = groups;
    return lineRecord(`${method} ${path} answered ${status}`, {
      at: readTime(groups.time),
      level: status >= 500 ? "error" : status >= 400 ? "warn" : "info",
      logger: "access",
      fields: { client, method, path, status },
    });
  },
};
