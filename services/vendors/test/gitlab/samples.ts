/** In the form of the samples at https://docs.gitlab.com/user/project/integrations/webhook_events/, with values of our own. */
const user = {
  id: 1,
  name: "Ada Root",
  username: "root",
  avatar_url: "https://gitlab.example.com/uploads/avatar.png",
  email: "[REDACTED]",
};
const project = {
  id: 5,
  name: "Shop",
  description: "Where orders are taken",
  web_url: "https://gitlab.example.com/acme/shop",
  avatar_url: null,
  git_ssh_url: "git@gitlab.example.com:acme/shop.git",
  git_http_url: "https://gitlab.example.com/acme/shop.git",
  namespace: "Acme",
  visibility_level: 20,
  path_with_namespace: "acme/shop",
  default_branch: "main",
  ci_config_path: null,
};
const user1 = {
  name: "Ann",
  username: "ann",
  avatar_url: "https://gitlab.example.com/uploads/avatar.png",
};

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#work-item-events */
export const issueHook = {
  object_kind: "issue",
  event_type: "issue",
  user,
  project,
  object_attributes: {
    id: 301,
    title: "Orders fail since noon",
    assignee_ids: [51],
    assignee_id: 51,
    author_id: 51,
    project_id: 14,
    created_at: "2013-12-03T17:15:43Z",
    updated_at: "2013-12-03T17:15:43Z",
    updated_by_id: 1,
    last_edited_at: null,
    description: "TypeError: amount is undefined",
    milestone_id: null,
    confidential: false,
    discussion_locked: true,
    health_status: "at_risk",
    type: "Issue",
    iid: 23,
    url: "https://gitlab.example.com/acme/shop/-/issues/23",
    state: "opened",
    action: "open",
    severity: "high",
    labels: [{ id: 206, title: "bug", color: "#ffffff", type: "ProjectLabel", group_id: 41 }],
  },
  assignees: [user1],
  assignee: user1,
  labels: [{ id: 206, title: "bug", color: "#ffffff", type: "ProjectLabel", group_id: 41 }],
  changes: {
    updated_by_id: { previous: null, current: 1 },
    updated_at: { previous: "2017-09-15 16:50:55 UTC", current: "2017-09-15 16:52:00 UTC" },
    labels: { previous: [{ id: 206, title: "bug" }], current: [{ id: 205, title: "payments" }] },
  },
};

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#comment-on-an-issue */
export const noteHook = {
  object_kind: "note",
  event_type: "note",
  user,
  project_id: 5,
  project,
  object_attributes: {
    id: 1241,
    note: "It fails again",
    noteable_type: "Issue",
    author_id: 1,
    created_at: "2015-05-17 17:06:40 UTC",
    updated_at: "2015-05-17 17:06:40 UTC",
    project_id: 5,
    attachment: null,
    line_code: null,
    commit_id: "",
    noteable_id: 92,
    system: false,
    st_diff: null,
    action: "create",
    url: "https://gitlab.example.com/acme/shop/-/issues/17#note_1241",
  },
  issue: {
    id: 92,
    title: "Refunds fail",
    assignee_ids: [],
    assignee_id: null,
    author_id: 1,
    project_id: 5,
    created_at: "2015-04-12 14:53:17 UTC",
    updated_at: "2015-04-26 08:28:42 UTC",
    description: "They time out",
    milestone_id: null,
    state: "closed",
    iid: 17,
    labels: [{ id: 25, title: "payments", color: "#123456", type: "GroupLabel", group_id: 4 }],
  },
};

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#comment-on-a-merge-request and its neighbors. */
export const otherHooks: readonly object[] = [
  {
    ...noteHook,
    object_attributes: { ...noteHook.object_attributes, noteable_type: "MergeRequest" },
    issue: undefined,
  },
  { ...noteHook, object_attributes: { ...noteHook.object_attributes, noteable_type: "Commit" }, issue: undefined },
  { ...noteHook, object_attributes: { ...noteHook.object_attributes, noteable_type: "Snippet" }, issue: undefined },
  { object_kind: "push", event_name: "push", ref: "refs/heads/main", user_id: 4, project, commits: [] },
  { object_kind: "merge_request", event_type: "merge_request", user, project, object_attributes: { id: 99, iid: 1 } },
  { object_kind: "pipeline", object_attributes: { id: 31, iid: 3, status: "success" }, user, project },
  { object_kind: "emoji", event_type: "award", user, project_id: 6, project, object_attributes: { id: 1 } },
];
