import type { Signature } from "../../findings.ts";

export const elasticsearch: readonly Signature[] = [
  {
    id: "elasticsearch.index-missing",
    category: "bad-config",
    match: {
      code: ["index_not_found_exception", "IndexNotFoundException", "alias_not_found_exception"],
      message: ["no such index [{index}]"],
    },
    meaning: "The index {index} does not exist: it was not created, is misspelt, or was removed by a retention rule.",
    seenIfTrue: "`GET _cat/indices` does not list it",
    seenIfFalse: "it is listed on another cluster than the one that is asked",
    shortTerm: "Create the index with its mapping, or correct its name.",
    longTerm: "Create indices and aliases as code, before the version that reads them.",
    url: "https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-indices-get",
  },
  {
    id: "elasticsearch.mapping",
    category: "schema-drift",
    match: {
      code: [
        "mapper_parsing_exception",
        "document_parsing_exception",
        "strict_dynamic_mapping_exception",
        "MapperParsingException",
      ],
      message: [
        "failed to parse field [{field}] of type",
        "mapping set to strict, dynamic introduction of [{field}]",
        "Limit of total fields [{limit}] has been exceeded",
      ],
    },
    meaning: "A document does not fit the mapping of its index (field {field}).",
    seenIfTrue: "`GET index/_mapping` shows another type for the field than the document has",
    seenIfFalse: "the field fits, and the number of fields is at its limit",
    shortTerm: "Send the field in the type that the mapping has, or index into a new index with the new mapping.",
    longTerm: "Set mappings explicitly, and check documents against them.",
    url: "https://www.elastic.co/docs/manage-data/data-store/mapping",
  },
  {
    id: "elasticsearch.circuit-breaker",
    category: "resource-exhaustion",
    match: {
      code: [
        "circuit_breaking_exception",
        "es_rejected_execution_exception",
        "rejected_execution_exception",
        "EsRejectedExecutionException",
      ],
      message: ["[parent] Data too large, data for [{what}]", "rejected execution of"],
    },
    meaning: "Elasticsearch refuses the request to protect its memory or its queues.",
    seenIfTrue: "`GET _nodes/stats/breaker,thread_pool` shows trips or rejections at that time",
    seenIfFalse: "neither counts up",
    shortTerm: "Send smaller batches and fewer at once, or narrow the aggregation.",
    longTerm: "Size the heap and the shards by load, and retry 429 with back-off.",
    url: "https://www.elastic.co/docs/troubleshoot/elasticsearch/circuit-breaker-errors",
  },
  {
    id: "elasticsearch.read-only",
    category: "resource-exhaustion",
    match: {
      code: ["cluster_block_exception"],
      message: [
        "blocked by: [FORBIDDEN/12/index read-only / allow delete (api)]",
        "index has read-only-allow-delete block",
        "flood stage disk watermark [{limit}] exceeded",
      ],
    },
    meaning: "The index takes no writes because a node's disk passed the flood stage (95 %).",
    seenIfTrue: "`GET _cat/allocation` shows a disk that is nearly full",
    seenIfFalse: "the disk has room, and somebody set the block",
    shortTerm:
      "Free disk space; the block goes by itself (7.4 and later), or set `index.blocks.read_only_allow_delete` to null.",
    longTerm: "Delete old data by a lifecycle rule, and alert at 80 %.",
    url: "https://www.elastic.co/docs/troubleshoot/elasticsearch/fix-watermark-errors",
  },
  {
    id: "elasticsearch.no-nodes",
    category: "network-unreachable",
    match: {
      code: [
        "NoLivingConnectionsError",
        "NoNodeAvailableException",
        "no_shard_available_action_exception",
        "master_not_discovered_exception",
      ],
      message: ["There are no living connections", "all shards failed", "None of the configured nodes are available"],
    },
    meaning:
      "No node or shard can answer: the cluster is not reachable, has no master, or its shards are not assigned.",
    seenIfTrue: "`GET _cluster/health` says red, or does not answer",
    seenIfFalse: 'it says green, and one query is malformed (the reason below "all shards failed")',
    shortTerm: "Look at `_cluster/health` and `_cluster/allocation/explain`, and at the reason inside the error.",
    longTerm: "Run three master-eligible nodes and replicas of every index.",
    url: "https://www.elastic.co/docs/troubleshoot/elasticsearch/red-yellow-cluster-status",
  },
  {
    id: "elasticsearch.query",
    category: "parse-error",
    match: {
      code: [
        "parsing_exception",
        "search_phase_execution_exception",
        "query_shard_exception",
        "x_content_parse_exception",
      ],
      message: [
        "Fielddata is disabled on [{field}]",
        "Result window is too large, from + size must be less than or equal to: [{limit}]",
        "Failed to parse query [{query}]",
      ],
    },
    meaning: "A search is not one that the index can answer.",
    seenIfTrue:
      "the reason inside names the clause: a text field that is sorted, too deep a page, free text with an open quote",
    seenIfFalse: "the same search runs by hand",
    shortTerm:
      "Sort by the `.keyword` field, page with `search_after`, and use `simple_query_string` for what users type.",
    longTerm: "Test searches against a real index with the mapping of production.",
    url: "https://www.elastic.co/docs/reference/query-languages/querydsl",
  },
];
