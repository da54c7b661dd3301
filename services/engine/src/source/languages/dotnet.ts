import type { LanguageTable } from "./language.ts";

/** Libraries that are recognized by their namespaces: stacks of published builds have no paths. */
const libraries =
  "Npgsql. Dapper. Newtonsoft. Polly. Serilog. MediatR. AutoMapper. StackExchange. Grpc. MassTransit. Hangfire. NLog. Castle. MySql. MySqlConnector. Amazon. Azure. Google. RabbitMQ. Confluent. Oracle. MongoDB. FluentValidation. Autofac. Swashbuckle. Quartz. NHibernate. xunit. Xunit. NUnit.".split(
    " ",
  );

/** C#, F#, and Visual Basic. */
export const dotnet: LanguageTable = {
  files: /\.(?:cs|fs|vb)$/,
  runtimes: ["dotnet", ".net", ".net core", ".net framework", "coreclr", "mono"],
  homes: {
    runtimeFolders: ["/_/src/runtime/", "/dotnet/runtime/"],
    dependencyFolders: ["/_/src/", "/_/", "/.nuget/packages/"],
    runtimePackages: ["System.", "Microsoft.", "Interop.", "Internal."],
    dependencyPackages: libraries,
  },
  printsMessageFirst: true,
};
