import type { Signature } from "../../findings.ts";

export const kafka: readonly Signature[] = [
  {
    id: "kafka.no-broker",
    category: "network-unreachable",
    match: {
      code: [
        "KafkaJSConnectionError",
        "KafkaJSConnectionClosedError",
        "KafkaJSBrokerNotFound",
        "NoBrokersAvailable",
        "BROKER_NOT_AVAILABLE",
      ],
      message: [
        "Connection to node {node} could not be established. Broker may not be available",
        "NoBrokersAvailable",
        "All broker connections are down",
        "Bootstrap broker {address} disconnected",
        "No resolvable bootstrap urls given in bootstrap.servers",
        "{address}: Connect to ipv4#{ip} failed",
        "client has run out of available brokers to talk to",
      ],
    },
    meaning:
      "No Kafka broker can be reached: the bootstrap addresses are wrong, the brokers are down, or they announce addresses that are not reachable from here.",
    seenIfTrue:
      "`kafka-broker-api-versions --bootstrap-server` fails from the same host, or the announced names (`advertised.listeners`) do not resolve there",
    seenIfFalse: "that command lists the brokers",
    shortTerm: "Check the bootstrap addresses, and that `advertised.listeners` names addresses which clients reach.",
    longTerm: "Watch the brokers from where the clients run.",
    url: "https://kafka.apache.org/documentation/#brokerconfigs_advertised.listeners",
  },
  {
    id: "kafka.unknown-topic",
    category: "bad-config",
    match: {
      code: [
        "UNKNOWN_TOPIC_OR_PARTITION",
        "UnknownTopicOrPartitionException",
        "UnknownTopicOrPartitionError",
        "INVALID_TOPIC_EXCEPTION",
      ],
      message: [
        "This server does not host this topic-partition",
        "Unknown topic or partition",
        "Topic {topic} not present in metadata after {time} ms",
        "Unknown Topic Or Partition",
      ],
    },
    meaning: "The topic does not exist on this cluster, or may not be seen: misspelt, not created, or another cluster.",
    seenIfTrue: "`kafka-topics --describe` does not know it",
    seenIfFalse: "it is described, and the client lacks the right DESCRIBE",
    shortTerm: "Create the topic, or correct its name or the cluster's address.",
    longTerm: "Create topics as code, and turn off `auto.create.topics.enable`.",
    url: "https://kafka.apache.org/protocol.html#protocol_error_codes",
  },
  {
    id: "kafka.rebalance",
    category: "concurrency",
    match: {
      code: [
        "REBALANCE_IN_PROGRESS",
        "ILLEGAL_GENERATION",
        "UNKNOWN_MEMBER_ID",
        "CommitFailedException",
        "RebalanceInProgressException",
        "FENCED_INSTANCE_ID",
      ],
      message: [
        "The group is rebalancing, so a rejoin is needed",
        "The coordinator is not aware of this member",
        "Specified group generation id is not valid",
        "Commit cannot be completed since the group has already rebalanced",
        "Application maximum poll interval ({limit}ms) exceeded",
        "Offset commit cannot be completed since the consumer is not part of an active group",
      ],
    },
    meaning:
      "The consumer lost its place in the group while it worked: a message took longer than the group waits, or members came and went.",
    seenIfTrue:
      "processing between two polls takes longer than `max.poll.interval.ms` (or no heartbeat was sent within `session.timeout.ms`)",
    seenIfFalse: "processing is fast, and members restart often",
    shortTerm: "Process fewer messages per poll (`max.poll.records`), or raise `max.poll.interval.ms`.",
    longTerm: "Move long work out of the poll loop, make it idempotent, and use static membership for deploys.",
    url: "https://kafka.apache.org/documentation/#consumerconfigs_max.poll.interval.ms",
  },
  {
    id: "kafka.not-leader",
    category: "network-unreachable",
    match: {
      code: [
        "NOT_LEADER_OR_FOLLOWER",
        "NOT_LEADER_FOR_PARTITION",
        "LEADER_NOT_AVAILABLE",
        "NotLeaderOrFollowerException",
        "NOT_COORDINATOR",
        "COORDINATOR_NOT_AVAILABLE",
        "GROUP_COORDINATOR_NOT_AVAILABLE",
      ],
      message: [
        "There is no leader for this topic-partition",
        "This server is not the leader for that topic-partition",
        "The group coordinator is not available",
        "is not the leader for that",
      ],
    },
    meaning:
      "The partition (or the group) has another leader for the moment, or none: a broker restarts or a topic was just created.",
    seenIfTrue: "`kafka-topics --describe` shows `Leader: none`, or brokers restart at that time",
    seenIfFalse: "leaders are stable, and the client's metadata is old",
    shortTerm: "Repeat with back-off; look for brokers that are down.",
    longTerm: "Use three replicas with `min.insync.replicas=2`, and restart brokers one at a time.",
    url: "https://kafka.apache.org/protocol.html#protocol_error_codes",
  },
  {
    id: "kafka.not-enough-replicas",
    category: "resource-exhaustion",
    match: {
      code: ["NOT_ENOUGH_REPLICAS", "NOT_ENOUGH_REPLICAS_AFTER_APPEND", "NotEnoughReplicasException"],
      message: ["Messages are rejected since there are fewer in-sync replicas than required"],
    },
    meaning: "Too few replicas of the partition are in step for a write with `acks=all`.",
    seenIfTrue: "`kafka-topics --describe --under-min-isr-partitions` lists the partition",
    seenIfFalse: "all replicas are in step",
    shortTerm: "Bring the missing broker back, or look why its replica lags (disk, network).",
    longTerm: "Keep one replica more than `min.insync.replicas`.",
    url: "https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas",
  },
  {
    id: "kafka.message-too-large",
    category: "data-validation",
    match: {
      code: ["MSG_SIZE_TOO_LARGE", "MESSAGE_TOO_LARGE", "RecordTooLargeException", "MessageSizeTooLargeError"],
      message: [
        "The request included a message larger than the max message size the server will accept",
        "which is larger than {limit}, which is the value of the max.request.size configuration",
        "Message size too large",
      ],
    },
    meaning: "A message is larger than the broker or the producer takes (1 MB unless set).",
    seenIfTrue: "the message's size is above `max.message.bytes` of the topic or `max.request.size` of the producer",
    seenIfFalse: "single messages are small, and the whole batch is too large",
    shortTerm:
      "Send less, compress (`compression.type`), or raise `max.message.bytes` and `max.request.size` together.",
    longTerm: "Put large contents into object storage and send a reference.",
    url: "https://kafka.apache.org/documentation/#topicconfigs_max.message.bytes",
  },
  {
    id: "kafka.offset",
    category: "boundary",
    match: {
      code: ["OFFSET_OUT_OF_RANGE", "OffsetOutOfRangeException", "NoOffsetForPartitionException"],
      message: [
        "The requested offset is not within the range of offsets maintained by the server",
        "Undefined offset with no reset policy for partitions",
      ],
    },
    meaning:
      "The consumer asks for an offset that the topic no longer (or not yet) holds: it lagged longer than the retention, or the topic was made anew.",
    seenIfTrue: "the committed offset lies before the log's start (`kafka-consumer-groups --describe`)",
    seenIfFalse: "it lies inside, and another cluster answers",
    shortTerm: "Decide where to go on: `--reset-offsets --to-earliest` or `--to-latest`.",
    longTerm: "Set `auto.offset.reset` on purpose, alert on lag, and keep data longer than the longest outage.",
    url: "https://kafka.apache.org/documentation/#consumerconfigs_auto.offset.reset",
  },
  {
    id: "kafka.request-timeout",
    category: "timeout",
    match: {
      code: ["REQUEST_TIMED_OUT", "KafkaJSRequestTimeoutError"],
      message: [
        "Expiring {count} record(s) for {partition}",
        "Request {name}(key: {key}, version: {version}) timed out",
        "Failed to update metadata after {time} ms",
        "Local: Message timed out",
      ],
    },
    meaning:
      "The broker did not answer in time: it is overloaded, unreachable, or the records waited too long in the producer's buffer.",
    seenIfTrue: "the broker's request latency or the producer's buffer is high at that time",
    seenIfFalse: "brokers are idle, and the addresses that they announce are unreachable",
    shortTerm: "Check that each announced broker is reachable from here, and the brokers' load.",
    longTerm: "Size `delivery.timeout.ms` and batches from measured latencies, and alert on them.",
    url: "https://kafka.apache.org/documentation/#producerconfigs_delivery.timeout.ms",
  },
  {
    id: "kafka.authorization",
    category: "permission",
    match: {
      code: [
        "TOPIC_AUTHORIZATION_FAILED",
        "GROUP_AUTHORIZATION_FAILED",
        "CLUSTER_AUTHORIZATION_FAILED",
        "TopicAuthorizationException",
        "GroupAuthorizationException",
      ],
      message: ["Not authorized to access topics", "Not authorized to access group"],
    },
    meaning: "The Kafka user may not use the topic or group.",
    seenIfTrue: "`kafka-acls --list` shows no rule for it",
    seenIfFalse: "the rule is there, for another user",
    shortTerm: "Add the rule with `kafka-acls --add` for exactly that topic or group.",
    longTerm: "Keep rules as code.",
    url: "https://kafka.apache.org/documentation/#security_authz",
  },
  {
    id: "kafka.sasl",
    category: "auth",
    match: {
      code: [
        "SASL_AUTHENTICATION_FAILED",
        "SaslAuthenticationException",
        "KafkaJSSASLAuthenticationError",
        "ILLEGAL_SASL_STATE",
      ],
      message: [
        "SASL PLAIN authentication failed",
        "SASL SCRAM-{kind} authentication failed",
        "Authentication failed during authentication due to invalid credentials",
        "Unsupported SASL mechanism",
      ],
    },
    meaning: "Kafka refused the credentials, or the way of signing in.",
    seenIfTrue: "the same credentials are refused by `kafka-console-consumer`",
    seenIfFalse: "they work there, with another mechanism or protocol",
    shortTerm: "Check user, password, `sasl.mechanism` and `security.protocol` (SASL_SSL).",
    longTerm: "Take credentials from one secret store, and check them at start.",
    url: "https://kafka.apache.org/documentation/#security_sasl",
  },
  {
    id: "kafka.deserialization",
    category: "schema-drift",
    match: {
      code: ["SerializationException", "KafkaAvroSerializationException"],
      message: [
        "Error deserializing key/value for partition {partition}",
        "Unknown magic byte",
        "Schema being registered is incompatible with an earlier schema",
        "Error deserializing Avro message",
        "Subject '{subject}' not found",
      ],
    },
    meaning:
      "A message cannot be read with the schema that the consumer has: another format, or a schema that changed incompatibly.",
    seenIfTrue: "the first byte of the message is not 0, or its schema id is newer than the consumer's",
    seenIfFalse: "other consumers with the same schema read the message",
    shortTerm: "Let the consumer skip and keep such messages (a dead letter topic), and compare both schemas.",
    longTerm: "Check compatibility of schemas in the producer's CI.",
    url: "https://docs.confluent.io/platform/current/schema-registry/fundamentals/serdes-develop/index.html",
  },
];
