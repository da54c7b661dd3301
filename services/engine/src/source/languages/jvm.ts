import { posix } from "node:path";
import { folderOf, type PathIndex } from "../path-index.ts";
import type { ImportableFiles, LanguageTable } from "./language.ts";

/** Frameworks and libraries that are recognized by their classes, because the JVM prints no paths. */
const libraries =
  "org.springframework. org.apache. org.hibernate. org.eclipse. org.jboss. org.wildfly. org.postgresql. org.junit. org.gradle. org.mockito. org.slf4j. org.thymeleaf. org.redisson. org.mariadb. org.jooq. org.flywaydb. org.mybatis. org.bouncycastle. org.elasticsearch. org.opensearch. org.neo4j. io.netty. io.grpc. io.micrometer. io.micronaut. io.quarkus. io.vertx. io.undertow. io.lettuce. io.ktor. io.projectreactor. io.opentelemetry. io.reactivex. io.jsonwebtoken. reactor. rx. com.zaxxer. com.mysql. com.mongodb. com.fasterxml. com.google. com.amazonaws. com.azure. com.netflix. com.squareup. com.datastax. com.rabbitmq. com.sun. com.oracle. com.microsoft. okhttp3. okio. retrofit2. feign. ch.qos. oracle. redis.clients. net.bytebuddy. software.amazon. jakarta. akka. play. cats. zio. scala. clojure. org.codehaus. groovy. org.hamcrest. org.assertj. org.testng. org.opentest4j. org.openqa. org.testcontainers. org.quartz. org.glassfish. org.yaml. org.json. org.joda. org.objectweb. org.aspectj. org.infinispan. org.xerial. org.sqlite. org.h2. org.hsqldb. org.mortbay. org.xnio. org.osgi. org.ops4j. org.dom4j. org.jdom. org.jdom2. org.jsoup. org.xml. org.w3c. org.bson. org.modelmapper. org.antlr. org.conscrypt. org.jgroups. org.ehcache. org.jsonschema2pojo. org.powermock. org.easymock. org.spockframework. org.rocksdb. org.lz4. org.iq80. org.asynchttpclient. org.restlet. org.primefaces. org.zeromq. org.snmp4j. org.picocontainer. org.opensaml. com.android. com.carrotsearch. com.jcraft. com.codahale. com.hazelcast. com.lmax. com.esotericsoftware. com.github.benmanes. com.jayway. com.thoughtworks. com.typesafe. com.unboundid. com.mchange. com.alibaba. com.vaadin. com.opencsv. com.itextpdf. com.h2database. com.couchbase. com.facebook. com.lowagie. com.opensymphony. com.ning. com.yammer. com.puppycrawl. com.beust. com.tngtech. com.linecorp. com.auth0. com.nimbusds. com.stripe. com.twilio. com.ibatis. com.jolbox. com.querydsl. com.mysema. com.networknt. com.ibm.ws. com.ibm.mq. com.intellij. io.dropwizard. io.swagger. io.restassured. io.cucumber. io.kotest. io.mockk. io.github.resilience4j. io.jaegertracing. io.opentracing. io.prometheus. io.fabric8. io.kubernetes. io.minio. io.sentry. io.smallrye. io.helidon. io.javalin. io.cloudevents. io.r2dbc. io.airlift. io.searchbox. junit. antlr. bsh. jersey. liquibase. freemarker. ognl. javassist. javafx. weblogic. graphql. kafka. mockit. net.sf. net.jodah. net.logstash. net.spy. net.schmizz. net.jcip. net.minidev. de.flapdoodle. gnu.trove. it.unimi. cucumber. springfox. edu.umd.cs.findbugs. oshi. picocli.".split(
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
    dependencyPackages: libraries,
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
