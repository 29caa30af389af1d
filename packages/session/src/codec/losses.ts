/**
 * Dialects of the protocol that turnkit supports. `seed` is the draft of version 2 of June 2026, in which the answer to
 * a prompt ends the turn.
 */
export type DialectName = "v1" | "v2" | "seed";

/** Information that a dialect cannot express. */
export type Loss = {
  /** Id of the row of {@link losses} that describes the loss and its replacement. */
  readonly id: LossId;
  /** Dialect that cannot express the information. */
  readonly to: DialectName;
  /** Type of the event, or name of the call, that lost information. */
  readonly event: string;
  /** Id of the affected object, such as a tool call. */
  readonly entity?: string;
};

/** Callback that receives each loss. */
export type OnLoss = (loss: Loss) => void;

/** Row of {@link losses}. */
export type LossRow = {
  readonly id: string;
  /** Source form. `neutral` is the form of turnkit's own events. It can express as much as version 2. */
  readonly from: "neutral" | DialectName;
  /** Target form. Losses in decoding (`neutral`) are not reported, because decoders have no state. */
  readonly to: "neutral" | DialectName;
  /** Lost information. */
  readonly what: string;
  /** Replacement for the lost information. */
  readonly rule: string;
  /** Word of the protocol's catalogue for the information. */
  readonly cites: string;
};

type Said = Pick<LossRow, "what" | "rule" | "cites">;

// Rows that several tables contain.
const REPLAY_FROM: Said = {
  what: "where a replay starts",
  rule: "not sent: session/load replays all, session/resume nothing",
  cites: "4.2 restore",
};
const MESSAGE_ID: Said = { what: "that a message has no id", rule: "a made-up id", cites: "V2-BRG-11" };
const MCP_SERVER: Said = { what: "servers over SSE", rule: "left out", cites: "V2-BRG-11" };
const MODE: Said = { what: "a mode of which no option is known", rule: "not sent", cites: "4.1 mode" };

/** Losses of both version 1 and seed. */
const v1AndSeed = {
  "tool-call-cancel": {
    what: "that one tool call can be cancelled by itself",
    rule: "not sent; session/cancel remains",
    cites: "V2-BRG-04",
  },
  "cost-clear": {
    what: "that the cost is not known any more",
    rule: "not sent: a reader keeps the cost it knows",
    cites: "V2-BRG-02",
  },
  state: {
    what: "that the agent waits for the user, its background work, work that no prompt began, the state after a restore",
    rule: "not sent: the open prompt is the state",
    cites: "V2-BRG-03",
  },
  terminal: {
    what: "terminals of the agent: bytes, size, exit, cancel",
    rule: "the newest 16 KiB of text, without control sequences, in the tool calls that show it; its end as a last line",
    cites: "V2-BRG-04",
  },
  diff: {
    what: "renames, copies, deletes, changes without texts, file types, patches, several files in one item",
    rule: "one item for each file; without texts a line that names the change, and the patch; a delete empties the file",
    cites: "V2-BRG-05",
  },
  permission: {
    what: "title, description, command and unknown subjects of a permission question as such",
    rule: "a tool call of its own, with a new id, carries them; beside a tool call they are left out",
    cites: "V2-BRG-07",
  },
  "boolean-option": {
    what: "options that are on or off, for a client that does not know them",
    rule: "a select with the values on and off",
    cites: "4.1 config options",
  },
  notice: { what: "notices, for a client that does not take them", rule: "not sent", cites: "4.1 notice" },
  compaction: { what: "compactions, for a client that does not take them", rule: "not sent", cites: "4.1 compaction" },
  subagent: {
    what: "child sessions for a client that does not know them, and messages between sessions",
    rule: "not sent; an agent of turnkit shows the text of a child session in one tool call",
    cites: "V2-BRG-09",
  },
  unknown: {
    what: "variants that the dialect does not know: commands, options, content, auth methods, servers",
    rule: "left out, except an update that came from a peer as it is, which is passed on",
    cites: "V2-BRG-09",
  },
} satisfies { readonly [id: string]: Said };

const v1 = {
  "message-rewrite": {
    what: "replacing or clearing a message of which something was sent",
    rule: "the new text is sent under a new message id whose _meta names the old one; a cleared message stays",
    cites: "V2-BRG-01",
  },
  "message-metadata": {
    what: "metadata of a message, and a message without content",
    rule: "the first piece of a new message has its metadata; changes, and messages without content, are not sent",
    cites: "V2-BRG-01",
  },
  "tool-call-clear": {
    what: "clearing a tool call's title, name, raw values or metadata",
    rule: "not sent: a reader keeps what it knows",
    cites: "V2-BRG-02",
  },
  "tool-call-title": {
    what: "that a tool call has no title",
    rule: "its name stands in, else its kind",
    cites: "4.1 tool opened",
  },
  "tool-call-status": {
    what: "the statuses paused, cancelled and custom ones",
    rule: "paused and custom ones are sent as in_progress, cancelled as failed; _meta holds the true one",
    cites: "V2-BRG-02",
  },
  "tool-call-kind": { what: "kinds that version 1 does not have", rule: "sent as other", cites: "V2-BRG-09" },
  plan: {
    what: "several plans, their ids, their removal, plans as a file or Markdown",
    rule: "one plan with the entries of all plans of items; a removed one leaves it; a file or Markdown is agent text",
    cites: "V2-BRG-06",
  },
  "plan-entry": {
    what: "cancelled plan entries, custom priorities and statuses",
    rule: "cancelled ones are left out; a custom priority is sent as medium, a custom status as pending",
    cites: "V2-BRG-06",
  },
  "stop-reason": {
    what: "the stop reason error and custom ones",
    rule: "custom ones are sent as end_turn and _meta holds the true one; error is an error response",
    cites: "V2-BRG-08",
  },
  "replay-from": REPLAY_FROM,
} satisfies { readonly [id: string]: Said };

const seed = {
  plan: {
    what: "the removal of a plan, plans as a file or Markdown",
    rule: "a removed plan is sent without entries; a file or Markdown is agent text",
    cites: "V2-BRG-06",
  },
  "stop-reason": { what: "the stop reason error", rule: "an error response", cites: "V2-SEED-22" },
  "turn-usage": { what: "the tokens that a turn spent", rule: "not sent", cites: "V2-PRM-22" },
  "message-id": MESSAGE_ID,
  "auth-method": { what: "ways to log in at a terminal", rule: "left out", cites: "3.1 auth" },
  "mcp-server": MCP_SERVER,
  mode: MODE,
  "replay-from": REPLAY_FROM,
} satisfies { readonly [id: string]: Said };

const v2 = {
  unknown: { what: "received data that is not an update", rule: "not sent", cites: "V2-BRG-09" },
  "message-id": MESSAGE_ID,
  "mcp-server": MCP_SERVER,
  mode: MODE,
  "diff-text": {
    what: "texts of a file that make no patch: one of the two is not known, or they are not text",
    rule: "the change is named without them",
    cites: "V2-DIFF-04",
  },
} satisfies { readonly [id: string]: Said };

/** Facts that a dialect does not contain, so that a decoder has to assume them. */
const read = {
  "empty-file": {
    what: "whether a file that is empty afterwards was deleted",
    rule: "read as a change to nothing",
    cites: "V2-BRG-11",
  },
  "metadata-replaced": {
    what: "that new metadata replaces what was there",
    rule: "read as a patch by key: keys that it leaves out stay",
    cites: "V2-BRG-12, V2-SEED-10",
  },
  "client-tools": {
    what: "the client's files and terminals, and its terminals inside tool calls",
    rule: "handed on as they are: a bridge to version 2 has to run them itself or refuse them",
    cites: "V2-BRG-10",
  },
} satisfies { readonly [id: string]: Said };

type LossId = keyof typeof v1AndSeed | keyof typeof v1 | keyof typeof seed | keyof typeof v2;

const rows = <K extends string>(
  table: { readonly [I in K]: Said },
  from: LossRow["from"],
  to: LossRow["to"],
): readonly (LossRow & { readonly id: K })[] =>
  (Object.keys(table) as K[]).map((id) => ({ id, from, to, ...table[id] }));

/** Table of all losses between the dialects. Losses in encoding are also reported to `onLoss`. */
export const losses: readonly LossRow[] = /* @__PURE__ */ allRows();

function allRows(): readonly LossRow[] {
  return [
    ...rows(v1AndSeed, "neutral", "v1"),
    ...rows(v1, "neutral", "v1"),
    ...rows(v1AndSeed, "neutral", "seed"),
    ...rows(seed, "neutral", "seed"),
    ...rows(v2, "neutral", "v2"),
    ...rows(read, "v1", "neutral"),
  ];
}

/** Callback that receives a loss of one event or call. */
export type Lost = (id: Loss["id"], entity?: string) => void;

/** Returns a callback that reports the losses of one event or call to `onLoss`. */
export function lostIn(to: DialectName, event: string, onLoss: OnLoss | undefined): Lost {
  return (id, entity) => onLoss?.(entity === undefined ? { id, to, event } : { id, to, event, entity });
}
