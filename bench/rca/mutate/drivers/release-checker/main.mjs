import { report } from './report.mjs';
import { scan } from './scan.mjs';
import { Releases } from './releases.mjs';

const releases = new Releases({ left: ['1.0.0', '1.2.3', '2.0.0-rc.1', '2.0.0'], right: ['0.3.0', '0.3.9', '0.4.0'], '@scope/mid': ['10.1.0+build.5'] });
const heard = [];
releases.on('outdated', (name, latest) => heard.push(`${name}@${latest}`));
const manifests = await scan(`{"name":"app","version":"1.0.0","dependencies":{"left":"^1.0.0 || >=2.0.0-rc.0 <3","right":"~0.3.1"},"author":"Ada <ada@example.org> (https://ada.example)","license":"MIT OR Apache-2.0","repository":"github:x/app","bin":"./cli.js"}
{"name":"@scope/tool","version":"v2.0.1","dependencies":{"left":"1.x","@scope/mid":"npm:@scope/mid@10.1.0 - 10.2"},"bugs":"https://example.org/bugs","files":["lib/**/*.js","!lib/{a,b}/*.test.js"]}
`);
const rows = await releases.check(manifests);
console.log(report(rows).split('\n')[3].trim().length, heard.map((name) => name.split('@')[0].toUpperCase()).join());
if (rows.length !== 4 || heard.length === 0) throw new Error(`${rows.length} rows, ${heard.length} outdated`);
