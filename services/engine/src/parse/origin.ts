import type { FrameOrigin, Language } from "../findings/findings.ts";

/** Where a language keeps what is not the user's: folders of files, and packages of functions. */
interface Homes {
  readonly runtimeFolders: readonly string[];
  readonly dependencyFolders: readonly string[];
  readonly runtimePackages?: readonly string[];
  readonly dependencyPackages?: readonly string[];
}

/** Frameworks whose classes name them; the JVM and .NET print no path that would. */
const jvmPackages =
  "org.springframework. org.apache. org.hibernate. org.eclipse. org.jboss. org.wildfly. org.postgresql. org.junit. org.gradle. org.mockito. org.slf4j. org.thymeleaf. org.redisson. org.mariadb. org.jooq. org.flywaydb. org.mybatis. org.bouncycastle. org.elasticsearch. org.opensearch. org.neo4j. io.netty. io.grpc. io.micrometer. io.micronaut. io.quarkus. io.vertx. io.undertow. io.lettuce. io.ktor. io.projectreactor. io.opentelemetry. io.reactivex. io.jsonwebtoken. reactor. rx. com.zaxxer. com.mysql. com.mongodb. com.fasterxml. com.google. com.amazonaws. com.azure. com.netflix. com.squareup. com.datastax. com.rabbitmq. com.sun. com.oracle. com.microsoft. okhttp3. okio. retrofit2. feign. ch.qos. oracle. redis.clients. net.bytebuddy. software.amazon. jakarta. akka. play. cats. zio. scala. clojure. org.codehaus. groovy.".split(
    " ",
  );
const dotnetPackages =
  "Npgsql. Dapper. Newtonsoft. Polly. Serilog. MediatR. AutoMapper. StackExchange. Grpc. MassTransit. Hangfire. NLog. Castle. MySql. MySqlConnector. Amazon. Azure. Google. RabbitMQ. Confluent. Oracle. MongoDB. FluentValidation. Autofac. Swashbuckle. Quartz. NHibernate. xunit. Xunit. NUnit.".split(
    " ",
  );

const homes: Readonly<Record<Language, Homes>> = {
  javascript: {
    runtimeFolders: [],
    dependencyFolders: [
      "/node_modules/",
      "/.pnpm/",
      "/.yarn/",
      "/bower_components/",
      "/deno.land/",
      "/esm.sh/",
      "/jsr.io/",
    ],
  },
  python: {
    runtimeFolders: ["/lib/python2.", "/lib/python3.", "/lib64/python3.", "/Python3", "<frozen ", "/Lib/asyncio/"],
    dependencyFolders: ["/site-packages/", "/dist-packages/", "/pypoetry/", "/.venv/lib/", "/eggs/"],
  },
  jvm: {
    runtimeFolders: [],
    dependencyFolders: [],
    runtimePackages: [
      "java.",
      "javax.",
      "jdk.",
      "sun.",
      "com.sun.",
      "kotlin.",
      "kotlinx.",
      "android.",
      "androidx.",
      "dalvik.",
      "libcore.",
    ],
    dependencyPackages: jvmPackages,
  },
  go: {
    runtimeFolders: ["/usr/local/go/src/", "/usr/lib/go", "/libexec/src/", "/go/src/runtime/", "/sdk/go1"],
    dependencyFolders: ["/pkg/mod/", "/vendor/", "@v"],
    runtimePackages: ["runtime.", "runtime/debug."],
  },
  ruby: {
    runtimeFolders: ["<internal:", "/lib/ruby/2.", "/lib/ruby/3.", "/lib/ruby/1."],
    dependencyFolders: ["/gems/", "/bundler/", "/vendor/bundle/", "/site_ruby/"],
  },
  php: {
    runtimeFolders: ["[internal"],
    dependencyFolders: ["/vendor/", "phar://", "/wp-includes/", "/wp-content/plugins/"],
  },
  dotnet: {
    runtimeFolders: ["/_/src/runtime/", "/dotnet/runtime/"],
    dependencyFolders: ["/_/src/", "/_/", "/.nuget/packages/"],
    runtimePackages: ["System.", "Microsoft.", "Interop.", "Internal."],
    dependencyPackages: dotnetPackages,
  },
  rust: {
    runtimeFolders: ["/rustc/", "/rust/library/", "/rustlib/src/", "/rust/deps/"],
    dependencyFolders: ["/.cargo/registry/", "/.cargo/git/", "/cargo/registry/", "/vendor/"],
    runtimePackages: [
      "std::",
      "core::",
      "alloc::",
      "rust_begin_unwind",
      "__rust",
      "<alloc::",
      "<core::",
      "<std::",
      "__libc_start",
      "_start",
      "test::",
    ],
    dependencyPackages: [
      "tokio::",
      "<tokio::",
      "futures_util::",
      "hyper::",
      "<hyper::",
      "tower::",
      "axum::",
      "actix_",
      "<actix_",
      "serde_json::",
      "sqlx",
      "<sqlx",
    ],
  },
  elixir: { runtimeFolders: [], dependencyFolders: ["/deps/"] },
  dart: { runtimeFolders: ["dart:"], dependencyFolders: ["package:flutter/", "/.pub-cache/", "/pub.dev/"] },
  native: { runtimeFolders: [""], dependencyFolders: [] },
};

/** Whose code a call is, by where its file lies and, where paths do not tell, by the package in its name. */
export function originOf(
  file: string | null,
  language: Language = "javascript",
  name: string | null = null,
): FrameOrigin {
  if (language === "javascript") return javascriptOrigin(file);
  const { runtimeFolders, dependencyFolders, runtimePackages = [], dependencyPackages = [] } = homes[language];
  const path = file === null ? "" : file.startsWith("/") || /^[<[]|^\w+:/.test(file) ? file : `/${file}`;
  const call = name ?? "";
  if (runtimePackages.some((owner) => call.startsWith(owner))) return "runtime";
  if (dependencyFolders.some((folder) => path.includes(folder))) return "dependency";
  if (runtimeFolders.some((folder) => path.includes(folder))) return "runtime";
  if (dependencyPackages.some((owner) => call.startsWith(owner))) return "dependency";
  return "app";
}

/** What Node up to 15 called its own modules. */
const oldNodeModule =
  /^(?:_\w{1,40}|events|net|fs|dns|tls|http|https|http2|module|timers|stream|vm|zlib|child_process|assert|dgram|readline|domain|buffer)\.js$/;

function javascriptOrigin(file: string | null): FrameOrigin {
  if (file === null || /^(?:node:|internal\/|ext:|bun:|native$|wasm:\/\/)/.test(file)) return "runtime";
  if (oldNodeModule.test(file)) return "runtime";
  return homes.javascript.dependencyFolders.some((folder) => `/${file}`.includes(folder)) ? "dependency" : "app";
}
