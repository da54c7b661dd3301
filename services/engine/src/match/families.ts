import type { Signature } from "../findings.ts";
import { async } from "./families/async.ts";
import { auth } from "./families/auth.ts";
import { aws } from "./families/aws.ts";
import { awsIdentity } from "./families/aws-identity.ts";
import { cloud } from "./families/cloud.ts";
import { config } from "./families/config.ts";
import { connectionLost } from "./families/connection-lost.ts";
import { containers } from "./families/containers.ts";
import { dataFormats } from "./families/data-formats.ts";
import { django } from "./families/django.ts";
import { dns } from "./families/dns.ts";
import { dotnet } from "./families/dotnet.ts";
import { elasticsearch } from "./families/elasticsearch.ts";
import { encoding } from "./families/encoding.ts";
import { errno } from "./families/errno.ts";
import { generic } from "./families/generic.ts";
import { go } from "./families/go.ts";
import { graphql } from "./families/graphql.ts";
import { grpc } from "./families/grpc.ts";
import { http } from "./families/http.ts";
import { httpFailures } from "./families/http-failures.ts";
import { httpRefusals } from "./families/http-refusals.ts";
import { jsonParse } from "./families/json-parse.ts";
import { jvm } from "./families/jvm.ts";
import { kafka } from "./families/kafka.ts";
import { kubernetesImages } from "./families/kubernetes-images.ts";
import { kubernetesPods } from "./families/kubernetes-pods.ts";
import { kubernetesScheduling } from "./families/kubernetes-scheduling.ts";
import { messaging } from "./families/messaging.ts";
import { moduleResolution } from "./families/module-resolution.ts";
import { mongodb } from "./families/mongodb.ts";
import { mysql } from "./families/mysql.ts";
import { nodeArguments } from "./families/node-arguments.ts";
import { nodeErrors } from "./families/node-errors.ts";
import { nullValues } from "./families/null-values.ts";
import { oracle } from "./families/oracle.ts";
import { orm } from "./families/orm.ts";
import { php } from "./families/php.ts";
import { postgresData } from "./families/postgres-data.ts";
import { postgresServer } from "./families/postgres-server.ts";
import { postgresStatements } from "./families/postgres-statements.ts";
import { prisma } from "./families/prisma.ts";
import { python } from "./families/python.ts";
import { pythonImports } from "./families/python-imports.ts";
import { redis } from "./families/redis.ts";
import { resources } from "./families/resources.ts";
import { ruby } from "./families/ruby.ts";
import { rust } from "./families/rust.ts";
import { smtp } from "./families/smtp.ts";
import { spring } from "./families/spring.ts";
import { sqlite } from "./families/sqlite.ts";
import { timeouts } from "./families/timeouts.ts";
import { tls } from "./families/tls.ts";
import { typeError } from "./families/type-error.ts";
import { uncaught } from "./families/uncaught.ts";
import { undici } from "./families/undici.ts";
import { webFrameworks } from "./families/web-frameworks.ts";

/** Every family, by name. The order is that of precedence: the more telling first. */
export const families: Readonly<Record<string, readonly Signature[]>> = {
  async,
  "python-imports": pythonImports,
  "module-resolution": moduleResolution,
  dns,
  tls,
  prisma,
  "postgres-data": postgresData,
  "postgres-statements": postgresStatements,
  "postgres-server": postgresServer,
  mysql,
  oracle,
  sqlite,
  mongodb,
  elasticsearch,
  smtp,
  redis,
  kafka,
  messaging,
  "kubernetes-pods": kubernetesPods,
  "kubernetes-images": kubernetesImages,
  "kubernetes-scheduling": kubernetesScheduling,
  grpc,
  "aws-identity": awsIdentity,
  aws,
  cloud,
  auth,
  "web-frameworks": webFrameworks,
  graphql,
  django,
  spring,
  orm,
  config,
  "data-formats": dataFormats,
  resources,
  http,
  "json-parse": jsonParse,
  undici,
  errno,
  timeouts,
  ruby,
  python,
  jvm,
  go,
  dotnet,
  php,
  rust,
  encoding,
  "node-arguments": nodeArguments,
  "node-errors": nodeErrors,
  "null-values": nullValues,
  "type-error": typeError,
  containers,
  "http-refusals": httpRefusals,
  "http-failures": httpFailures,
  uncaught,
  "connection-lost": connectionLost,
  generic,
};

export const signatures: readonly Signature[] = Object.values(families).flat();
