import type { Mutation } from "./mutation.js";

/** Child sessions: the tree of states. */
export const sessionChildMutations: readonly Mutation[] = [
  {
    id: "P-SUB-04",
    file: "tree.ts",
    find: "const owner = known?.parentId ?? parentId;",
    replace: "const owner = parentId;",
    what: "a patch of another parent is lost",
  },
  {
    id: "P-SUB-08",
    file: "slice/activity.ts",
    find: 'if (activity.state !== "idle") return next;',
    replace: 'if (activity.state !== "idle") return before.stopReason ? state : next;',
    what: "an idle child cannot be given work again",
  },
  {
    id: "P-SUB-15",
    file: "mirrored-state.ts",
    find: 'child.activity.origin === "reported"',
    replace: "child.closed",
    what: "the parent's report replaces the child's own",
  },
  {
    id: "R9",
    file: "watch/replay.ts",
    find: 'if (this.#isChild && this.#part === "replay") return;',
    replace: "",
    what: "a refused restore repeats the text of a watched child session",
  },
  {
    id: "R9",
    file: "watch/openings.ts",
    find: "for (const replay of replays.values()) replay.refused();",
    replace: "void replays;",
    what: "the second of two refused restores repeats the text of a watched child session",
  },
  {
    id: "P-SUB-16",
    file: "kind.ts",
    find: 'fresh: { type: "session_message", content: /* @__PURE__ */ emptySequence() },\n  lists: { __proto__: null, content: isContentBlock },',
    replace:
      'fresh: { type: "session_message", content: /* @__PURE__ */ emptySequence(), senderSessionId: "?" },\n  lists: { __proto__: null, content: isContentBlock },',
    what: "null does not clear the sender of a message",
  },
  {
    id: "P-SUB-19",
    file: "tree.ts",
    find: "if (depth > MAX_DEPTH)",
    replace: "if (depth > MAX_DEPTH + 1)",
    what: "a child session below depth 16 is opened",
  },
  {
    id: "P-BG-06",
    file: "tree-view.ts",
    find: "(activity.background?.length ?? 0) > 0",
    replace: "false",
    what: "a session with background work is not busy",
  },
  {
    id: "P-OLD-01",
    file: "codec/v1/decode.ts",
    find: 'return events[0]?.type === "session_message_chunk" ? withParties(events[0]) : events;',
    replace: "return events;",
    what: "the sessions that a chunk names are lost",
  },
  {
    id: "P-OLD-02",
    file: "codec/v1/air-children.ts",
    find: 'older: { sessionId: "subagentSessionId", title: "name", description: "task" },',
    replace: 'older: { sessionId: "subagentSessionId", title: "name" },',
    what: "the task of a child session is lost",
  },
];

/** Child sessions of a client. */
export const clientChildMutations: readonly Mutation[] = [
  {
    id: "P-SUB-01",
    file: "session-table.ts",
    find: "else this.#open.set(sessionId, child);",
    replace: "",
    what: "updates of a child session are dropped",
  },
  {
    id: "P-SUB-06",
    file: "tree-place.ts",
    find: "return this.announcement?.additionalDirectories ?? this.parent.tree.directories;",
    replace: "return this.announcement?.additionalDirectories ?? [];",
    what: "a child session does not inherit directories",
  },
  {
    id: "P-SUB-09",
    file: "live-session.ts",
    find: "if (this.parent && !this.isOver) checkCancel",
    replace: "if (this.isOver) checkCancel",
    what: "any child session is cancelled",
  },
  {
    id: "P-SUB-10",
    file: "tree-place.ts",
    find: "if (this.parent === undefined) return;\n    const text",
    replace: "if (this.#session.id) return;\n    const text",
    what: "calls for a child session are sent",
  },
  {
    id: "P-SUB-18",
    file: "session-table.ts",
    find: "waiting.deliver({ id, receive });",
    replace: "",
    what: "updates before the announcement are lost",
  },
  {
    id: "P-SUB-20",
    file: "live-session.ts",
    find: "if (ended) this.#questions.dismiss",
    replace: "if (this.isOver) this.#questions.dismiss",
    what: "a question stays open after the child's work",
  },
  {
    id: "P-SUB1-01",
    file: "negotiate.ts",
    find: "subagents: true,",
    replace: "subagents: false,",
    what: "the client does not opt in",
  },
  {
    id: "P-SUB1-05",
    file: "host/hosted-session.ts",
    find: "const { roots } = rootOf<Session>(session);",
    replace: "const { roots } = session;",
    what: "an announcement gives access to more files",
  },
  {
    id: "Q1",
    file: "session-table.ts",
    find: "this.#sessions += 1;",
    replace: "this.#sessions = 1;",
    what: "questions of two sessions have one id, so that an answer allows another question",
  },
  {
    id: "Q1",
    file: "pending-questions.ts",
    find: "successor.#ids = this.#ids;",
    replace: "",
    what: "a late answer in a restored session is refused",
  },
];

/** Child sessions of an agent. */
export const agentChildMutations: readonly Mutation[] = [
  {
    id: "P-SUB-03",
    file: "live-child.ts",
    find: "    output.say(announcement);",
    replace: "    output.record(announcement);",
    what: "a child session is not announced",
  },
  {
    id: "P-SUB-11",
    file: "served-connection.ts",
    find: "if (child?.isCancellable) child.cancel();",
    replace: "child?.cancel();",
    what: "a cancel without a grant ends the work",
  },
  {
    id: "P-SUB-12",
    file: "child-work.ts",
    find: 'this.#timer = setTimeout(() => this.end("cancelled"), cancelGraceMs);',
    replace: "this.#timer = undefined;",
    what: "cancelled work that does not react never ends",
  },
  {
    id: "P-SUB-13",
    file: "prompt.ts",
    find: "if (this.#cancellation.isCancelled) this.queue.session.openChildren?.settle();",
    replace: "",
    what: "child sessions end after their parent",
  },
  {
    id: "P-SUB-14",
    file: "child-activity.ts",
    find: 'if (childStates === "own") output.say(own);',
    replace: "if (childStates === undefined) output.say(own);",
    what: "a child session does not report its own state",
  },
  {
    id: "P-SUB1-10",
    file: "degraded-child.ts",
    find: "driver.askPermission(sessionId, this.#shown(question), signal)",
    replace: "driver.askPermission(sessionId, question, signal)",
    what: "a question does not name the subagent",
  },
  {
    id: "P-BG-02",
    file: "background-list.ts",
    find: "return [...wanted, ...kept];",
    replace: "return kept.length > 0 ? wanted : [...wanted];",
    what: "a child session that works leaves the list",
  },
  {
    id: "P-BG-04",
    file: "children.ts",
    find: "if (!this.#owner.lists(child.id)) child.cancel();",
    replace: "child.cancel();",
    what: "a cancel stops listed background work",
  },
  {
    id: "P-BG-05",
    file: "child-activity.ts",
    find: "parts.owner.background && []",
    replace: "undefined",
    what: "a child session does not report its list",
  },
  {
    id: "P-SUB-22",
    file: "live-child.ts",
    find: "if (this.isEnding) return;\n    this.#activity",
    replace: "this.#activity",
    what: "a forgotten child session reports a list",
  },
];
