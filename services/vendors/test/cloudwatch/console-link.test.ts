import { describe, expect, it } from "vitest";
import { alarmLink, logsLink, metricsLink } from "../../src/cloudwatch/console-link.ts";

const span = { from: "2026-03-01T11:00:00.000Z", to: "2026-03-01T12:05:00.000Z" };
const console = "https://eu-central-1.console.aws.amazon.com/cloudwatch/home?region=eu-central-1";

describe("a link into CloudWatch's console", () => {
  it("opens the query over its log groups and the span", () => {
    const query = "filter @message like /(?i)error/ | limit 5";
    expect(logsLink("eu-central-1", query, ["/aws/lambda/orders", "it's~odd"], span)).toBe(
      `${console}#logsV2:logs-insights$3FqueryDetail$3D~(end~'2026-03-01T12*3A05*3A00.000Z~start~'2026-03-01T11*3A00*3A00.000Z` +
        "~timeType~'ABSOLUTE~tz~'UTC~editorString~'filter*20*40message*20like*20*2F*28*3Fi*29error*2F*20*7C*20limit*205" +
        "~source~(~'*2Faws*2Flambda*2Forders~'it*27s*7eodd))",
    );
  });

  it("draws an expression over the span", () => {
    expect(metricsLink("eu-central-1", "SEARCH('orders', 'Sum', 60)", span)).toBe(
      `${console}#metricsV2:graph=~(metrics~(~(~(expression~'SEARCH*28*27orders*27*2C*20*27Sum*27*2C*2060*29)))` +
        "~view~'timeSeries~stacked~false~region~'eu-central-1~start~'2026-03-01T11*3A00*3A00.000Z~end~'2026-03-01T12*3A05*3A00.000Z)",
    );
  });

  it.each([
    ["eu-west-1", "eu-west-1.console.aws.amazon.com"],
    ["cn-north-1", "cn-north-1.console.amazonaws.cn"],
    ["us-gov-west-1", "us-gov-west-1.console.amazonaws-us-gov.com"],
  ])("to %s leads to %s", (region, host) => {
    expect(URL.parse(alarmLink(region, "orders slow") ?? "")?.host).toBe(host);
  });

  it.each(["us-iso-east-1", "us-isob-east-1", "eu-isoe-west-1", "eusc-de-east-1", ""])(
    "isn't made for %s, whose console is elsewhere",
    (region) => {
      expect([
        alarmLink(region, "orders slow"),
        logsLink(region, "limit 5", ["/orders"], span),
        metricsLink(region, "SEARCH('orders', 'Sum', 60)", span),
      ]).toEqual([null, null, null]);
    },
  );
});
