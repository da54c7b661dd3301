import { posix } from "node:path";
import { folderOf, type PathIndex } from "../path-index.ts";
import type { ImportableFiles, LanguageTable } from "./language.ts";

/** Frameworks that are recognized by their classes, because the JVM prints no paths. */
const frameworks =
  "org.springframework. org.apache. org.hibernate. org.eclipse. org.jboss. org.wildfly. org.postgresql. org.junit. org.gradle. org.mockito. org.slf4j. org.thymeleaf. org.redisson. org.mariadb. org.jooq. org.flywaydb. org.mybatis. org.bouncycastle. org.elasticsearch. org.opensearch. org.neo4j. io.netty. io.grpc. io.micrometer. io.micronaut. io.quarkus. io.vertx. io.undertow. io.lettuce. io.ktor. io.projectreactor. io.opentelemetry. io.reactivex. io.jsonwebtoken. reactor. rx. com.zaxxer. com.mysql. com.mongodb. com.fasterxml. com.google. com.amazonaws. com.azure. com.netflix. com.squareup. com.datastax. com.rabbitmq. com.sun. com.oracle. com.microsoft. okhttp3. okio. retrofit2. feign. ch.qos. oracle. redis.clients. net.bytebuddy. software.amazon. jakarta. akka. play. cats. zio. scala. clojure. org.codehaus. groovy.".split(
    " ",
  );

/** Java, Kotlin, Scala, and Groovy. */
export const jvm: LanguageTable = {
  files: /\.(?:java|kt|kts|scala|groovy)$/,
  runtimes: ["java", "jvm", "openjdk", "kotlin", "graalvm"],
  homes: {
    runtimeFolders: [],
    dependencyFolders: [],
    runtimePackages: [
      ...["java.", "javax.", "jdk.", "sun.", "com.sun.", "kotlin.", "kotlinx."],
      ...["android.", "androidx.", "dalvik.", "libcore."],
    ],
    dependencyPackages: frameworks,
  },
  imports: { written, resolve, unsaid },
  printsClasses: true,
  printsMessageFirst: true,
  isTrainedAsCompiled: true,
};

const imported = /^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]{1,500})[ \t]*;?[ \t]*$/gm;

function written(text: string): string[] {
  return Array.from(text.matchAll(imported), ([, name = ""]) => name);
}

function resolve(module: string, _: string, { paths }: ImportableFiles): string[] {
  return paths.allEndingWith(`${module.replaceAll(".", "/")}.java`);
}

/** Returns the classes of the same package that the file names. */
function unsaid(from: string, text: string, paths: PathIndex): string[] {
  const words = new Set(text.match(/\b[A-Z]\w*/g));
  return paths.inFolder(folderOf(from)).filter((file) => words.has(posix.basename(file, ".java")));
}
