import { z } from "zod";
import { VendorFailure } from "../http/vendor-failure.ts";
import { answeredParts } from "../integrations/answered-parts.ts";
import type { Integration } from "../integrations/integration.ts";
import { openCloudWatch } from "./clients.ts";
import { troubleLogged } from "./logs.ts";
import { alarmsOn, metricTrouble } from "./metrics.ts";

/**
 * A region is part of the hostname: https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-regions.html
 */
const regionPattern = /^[a-z]{2,4}(?:-[a-z]+){1,3}-\d{1,2}$/;

const inputsSchema = z.object({ access_key_id: z.string(), secret_access_key: z.string(), region: z.string() });

/** AWS CloudWatch: log lines, alarms, and metrics. https://docs.aws.amazon.com/cloudwatch/ */
export const cloudWatch: Integration = {
  kind: "cloud-monitoring",
  vendor: "AWS CloudWatch",
  checkedAgainst:
    "moto, a server that answers as AWS does; what logs and metrics say against a double of our own, from the documented answers",
  connect(inputs, context) {
    const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, region } = inputsSchema.parse(inputs);
    if (!regionPattern.test(region))
      throw new VendorFailure("invalid-input", "the region isn't one of AWS, such as eu-central-1");
    const clients = openCloudWatch({ accessKeyId, secretAccessKey, region }, context);
    return {
      async verify(signal) {
        const { logGroups } = await clients.logs(
          (client, { DescribeLogGroupsCommand }, options) =>
            client.send(new DescribeLogGroupsCommand({ limit: 1 }), options),
          signal,
        );
        const account = /^arn:[^:]+:logs:[^:]+:(\d+):/.exec(logGroups?.[0]?.arn ?? "")?.[1];
        return account ? `AWS account ${account} in ${region}` : `AWS in ${region}`;
      },
      async ask(about, signal) {
        const [alarms = [], metrics = [], lines = []] = await answeredParts(
          [
            alarmsOn(clients, region, about, signal),
            metricTrouble(clients, region, about, signal),
            troubleLogged(clients, region, about, context.clock, signal),
          ],
          about,
        );
        signal.throwIfAborted();
        return [...alarms, ...metrics, ...lines];
      },
      async close() {
        clients.close();
      },
    };
  },
};
