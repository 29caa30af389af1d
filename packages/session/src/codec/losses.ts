import type { Dialect } from "./codec.js";

/** Something a dialect could not say, and what was done instead. */
export type Loss = {
  /** A row of {@link losses}. */
  readonly id: LossId;
  /** Type of the event that lost something. */
  readonly event: string;
  /** The entity concerned, such as a tool call's id. */
  readonly entity?: string;
};

/** One thing that a dialect cannot say. */
export type LossRow = {
  readonly id: string;
  /** `neutral` is what turnkit's own events can say, which is as much as version 2. */
  readonly from: "neutral" | Dialect;
  readonly to: "neutral" | Dialect;
  /** What gets lost. */
  readonly what: string;
  /** What is done instead. */
  readonly rule: string;
  /** The catalogue's word for it. */
  readonly cites: string;
};

const rows = [
  {
    id: "message-rewrite",
    what: "replacing or clearing a message of which something was sent",
    rule: "the new text is sent under a new message id whose _meta names the old one; a cleared message stays",
    cites: "V2-BRG-01",
  },
  {
    id: "message-metadata",
    what: "metadata of a message, and a message without content",
    rule: "not sent",
    cites: "V2-BRG-01",
  },
  {
    id: "tool-call-clear",
    what: "clearing a tool call's title, name, raw values or metadata",
    rule: "not sent: a reader keeps what it knows",
    cites: "V2-BRG-02",
  },
  {
    id: "tool-call-title",
    what: "that a tool call has no title",
    rule: "its name stands in, else its kind",
    cites: "4.1 tool opened",
  },
  {
    id: "tool-call-status",
    what: "the statuses paused, cancelled and custom ones",
    rule: "paused and custom ones are sent as in_progress, cancelled as failed; _meta holds the true one",
    cites: "V2-BRG-02",
  },
  {
    id: "tool-call-kind",
    what: "kinds that version 1 does not have",
    rule: "sent as other",
    cites: "V2-BRG-09",
  },
  {
    id: "tool-call-cancel",
    what: "that one tool call can be cancelled by itself",
    rule: "not sent; session/cancel remains",
    cites: "V2-BRG-04",
  },
  {
    id: "cost-clear",
    what: "that the cost is not known any more",
    rule: "not sent: a reader keeps the cost it knows",
    cites: "V2-BRG-02",
  },
  {
    id: "state",
    what: "that the agent waits for the user, and its background work",
    rule: "not sent: the open prompt is the state",
    cites: "V2-BRG-03",
  },
  {
    id: "terminal",
    what: "terminals of the agent: bytes, size, exit, cancel",
    rule: "not sent, neither as such nor inside a tool call",
    cites: "V2-BRG-04",
  },
  {
    id: "diff",
    what: "renames, copies, changes without texts, and patches",
    rule: "a text item that names the change, with the patch if there is one; a delete is sent as a change to nothing",
    cites: "V2-BRG-05",
  },
  {
    id: "plan",
    what: "several plans, their ids, their removal, plans as a file or Markdown",
    rule: "one plan with the entries of all plans of items; a removed one leaves it, others are not sent",
    cites: "V2-BRG-06",
  },
  {
    id: "plan-entry",
    what: "cancelled plan entries, custom priorities and statuses",
    rule: "cancelled ones are left out; a custom priority is sent as medium, a custom status as pending",
    cites: "V2-BRG-06",
  },
  {
    id: "permission",
    what: "title, description and command of a permission question as such",
    rule: "a tool call of its own, with a new id, carries them",
    cites: "V2-BRG-07",
  },
  {
    id: "stop-reason",
    what: "the stop reason error and custom ones",
    rule: "custom ones are sent as end_turn and _meta holds the true one; error is an error response",
    cites: "V2-BRG-08",
  },
  {
    id: "unknown",
    what: "variants that version 1 does not know: commands, options, content, auth methods, servers",
    rule: "left out, except an update that came from a peer as it is, which is passed on",
    cites: "V2-BRG-09",
  },
  {
    id: "boolean-option",
    what: "options that are on or off, for a client that does not know them",
    rule: "a select with the values on and off",
    cites: "4.1 config options",
  },
  {
    id: "notice",
    what: "notices, for a client that does not take them",
    rule: "not sent",
    cites: "4.1 notice",
  },
  {
    id: "compaction",
    what: "compactions, for a client that does not take them",
    rule: "not sent",
    cites: "4.1 compaction",
  },
] as const;

type LossId = (typeof rows)[number]["id"];

/** Everything that gets lost on the way to a dialect, by name. Each is also told to `onLoss` as it happens. */
export const losses: readonly (LossRow & { readonly id: LossId })[] = /* @__PURE__ */ rows.map((row) => ({
  ...row,
  from: "neutral",
  to: "v1",
}));
