set -e
(cd /work/tree/mine && node_modules/.bin/node --conditions=@whence/source /tmp/dump-mined.ts); (cd /work/tree/mutate && node_modules/.bin/node --conditions=@whence/source /tmp/dump-mutants.ts 2>/dev/null); cd /work/main; node_modules/.bin/node --conditions=@whence/source bench/rca/train/dump-own.ts
for x in own mined mutants; do node_modules/.bin/node --conditions=@whence/source bench/rca/train/extract.ts /tmp/c-$x.jsonl /tmp/f-$x.jsonl & done; wait
cd bench/rca/train && /tmp/venv/bin/python train.py /tmp/f-own.jsonl /tmp/f-mined.jsonl /tmp/f-mutants.jsonl
