import type { Draft } from "./draft.ts";
import { avaFormat } from "./formats/ava.ts";
import { bundlerFormat } from "./formats/bundlers.ts";
import { compilerFormat } from "./formats/compilers.ts";
import { dartFormat } from "./formats/dart.ts";
import { dotnetFormat } from "./formats/dotnet.ts";
import { dotnetTestFormat } from "./formats/dotnet-test.ts";
import { elixirFormat } from "./formats/elixir.ts";
import { errorTrackerFormat } from "./formats/error-trackers.ts";
import { exunitFormat } from "./formats/exunit.ts";
import { firefoxFormat } from "./formats/firefox.ts";
import { goFormat } from "./formats/go.ts";
import { goTestFormat } from "./formats/go-test.ts";
import { gocheckFormat } from "./formats/gocheck.ts";
import { ipythonFormat } from "./formats/ipython.ts";
import { jestFormat } from "./formats/jest.ts";
import { jvmFormat } from "./formats/jvm.ts";
import { nativeFormat } from "./formats/native.ts";
import { placeByNext } from "./formats/next-place.ts";
import { nodeFormat } from "./formats/node.ts";
import { packageManagerFormat } from "./formats/package-installation.ts";
import { phpFormat } from "./formats/php.ts";
import { phpunitFormat } from "./formats/phpunit.ts";
import { playwrightFormat } from "./formats/playwright.ts";
import { joinPy4j } from "./formats/py4j.ts";
import { joinPySpark, withoutQuotedTracebacks } from "./formats/pyspark.ts";
import { pytestFormat } from "./formats/pytest.ts";
import { pythonFormat } from "./formats/python.ts";
import { richFormat } from "./formats/rich.ts";
import { robotFormat } from "./formats/robot.ts";
import { rspecFormat } from "./formats/rspec.ts";
import { rubyFormat } from "./formats/ruby.ts";
import { rustFormat } from "./formats/rust.ts";
import { springBootFormat } from "./formats/spring-boot.ts";
import { tapFormat } from "./formats/tap.ts";
import { nameTests } from "./formats/test-titles.ts";
import { testifyFormat } from "./formats/testify.ts";
import { vitestFormat } from "./formats/vitest.ts";
import type { ReadableLine } from "./readable-line.ts";
import { Stretch, type TextFormat } from "./stretch.ts";

/** In reading order: unmistakable formats first, and last those that accept loose text as an error's name. */
export const textFormats: readonly TextFormat[] = [
  ipythonFormat,
  richFormat,
  springBootFormat,
  pytestFormat,
  vitestFormat,
  jestFormat,
  avaFormat,
  playwrightFormat,
  rspecFormat,
  phpunitFormat,
  exunitFormat,
  dotnetTestFormat,
  robotFormat,
  testifyFormat,
  goTestFormat,
  gocheckFormat,
  tapFormat,
  bundlerFormat,
  compilerFormat,
  packageManagerFormat,
  errorTrackerFormat,
  pythonFormat,
  rustFormat,
  elixirFormat,
  goFormat,
  phpFormat,
  dartFormat,
  jvmFormat,
  dotnetFormat,
  rubyFormat,
  nativeFormat,
  nodeFormat,
  firefoxFormat,
];

/** Returns the errors in some lines, and the lines that belong to none of them. */
export function readFormats(lines: readonly ReadableLine[]): { drafts: Draft[]; free: ReadableLine[] } {
  const unquoted = withoutQuotedTracebacks(lines);
  const stretch = new Stretch(unquoted.lines);
  const drafts = textFormats.flatMap((format) => format.read(stretch));
  joinPySpark(drafts, unquoted.quoted, lines);
  nameTests(drafts, lines);
  joinPy4j(drafts, lines);
  placeByNext(drafts, lines);
  return { drafts, free: stretch.free() };
}
