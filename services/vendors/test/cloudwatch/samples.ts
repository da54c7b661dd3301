export const topicArn = "arn:aws:sns:eu-west-1:123456789012:alarms";
export const certificateUrl =
  "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem";

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html */
export const alarm = {
  AlarmName: "checkout-5xx",
  AlarmDescription: "Checkout answers with errors",
  AWSAccountId: "123456789012",
  AlarmConfigurationUpdatedTimestamp: "2026-02-01T08:00:00.000+0000",
  NewStateValue: "ALARM",
  NewStateReason: "Threshold Crossed: 1 datapoint [7.3 (01/03/26 11:57:00)] was greater than the threshold (5.0).",
  StateChangeTime: "2026-03-01T11:58:03.157+0000",
  Region: "EU (Ireland)",
  AlarmArn: "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:checkout-5xx",
  OldStateValue: "OK",
  OKActions: [],
  AlarmActions: [topicArn],
  InsufficientDataActions: [],
  Trigger: {
    MetricName: "HTTPCode_Target_5XX_Count",
    Namespace: "AWS/ECS",
    StatisticType: "Statistic",
    Statistic: "SUM",
    Unit: null,
    Dimensions: [
      { value: "checkout", name: "ServiceName" },
      { value: "production", name: "Environment" },
    ],
    Period: 60,
    EvaluationPeriods: 1,
    ComparisonOperator: "GreaterThanThreshold",
    Threshold: 5,
  },
};

/** https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html */
const shared = {
  MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
  TopicArn: topicArn,
  Timestamp: "2026-03-01T11:58:04.157Z",
  SignatureVersion: "2",
  SigningCertURL: certificateUrl,
};

export const notification = {
  ...{ Type: "Notification", ...shared, Subject: 'ALARM: "checkout-5xx" in EU (Ireland)' },
  Message: JSON.stringify(alarm),
  UnsubscribeURL: "https://sns.eu-west-1.amazonaws.com/?Action=Unsubscribe&SubscriptionArn=arn",
};

export const confirmation = {
  ...{ Type: "SubscriptionConfirmation", ...shared, Token: "2336412f37fb687f5d51e6e241d09c80" },
  Message: `You have chosen to subscribe to the topic ${topicArn}.`,
  SubscribeURL: `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=2336412f`,
};
