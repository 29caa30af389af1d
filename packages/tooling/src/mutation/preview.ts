import type { Mutation } from "./mutation.js";

/** Rules of the Preview for schemas. */
export const schemaPreviewMutations: readonly Mutation[] = [
  {
    id: "P-ELICIT-01",
    file: "variants.ts",
    find: "if (present.length === 1) return table[key]?.def.read(value, notes);",
    replace: "if (present.length >= 1) return table[key]?.def.read(value, notes);",
    what: "an elicitation may be about a session and a request",
  },
  {
    id: "P-COMP-01",
    file: "v2/update.ts",
    find: "  status: lenient(nullable(compactionStatus)),",
    replace: "  status: compactionStatus,",
    what: "a compaction needs a status in each update",
  },
];

/** Rules of the Preview for the state and the codecs. */
export const sessionPreviewMutations: readonly Mutation[] = [
  {
    id: "P-REPLAY-06",
    file: "reduce.ts",
    find: "return changed(state, { history: end === undefined ? {} : { end } });",
    replace: "return changed(state, { history: {} });",
    what: "nothing says where the history ends",
  },
  {
    id: "P-REPLAY-08",
    file: "reduce.ts",
    find: "state.replaying && !state.history ? foldReplayComplete(state) : state;",
    replace: "state;",
    what: "a replay without a marker has no history",
  },
  {
    id: "P-REPLAY-15",
    file: "reduce.ts",
    find: "if (!state.replaying || state.history) return noted",
    replace: "if (!state.replaying) return noted",
    what: "a second marker moves the end of the history",
  },
  {
    id: "P-COMP-02",
    file: "codec/updates.ts",
    find: 'return { ...event, status: entry?.type === "compaction" ? entry.status : "in_progress" };',
    replace: "return entry === undefined ? event : { ...event };",
    what: "a compaction is sent without a status, so SDK 2.4.0 refuses it",
  },
  {
    id: "P-COMP-03",
    file: "codec/v2/decode.ts",
    find: "    nullable: { status: text, summary: contentBlocks, error: text, _meta: meta },",
    replace: "    nullable: { summary: contentBlocks, _meta: meta },",
    what: "an update of a compaction loses its status and its error",
  },
  {
    id: "P-USAGE-01",
    file: "slice/settings.ts",
    find: "const usage = patchedBy(before, { used, size, cost, _meta });",
    replace: "const usage = patchedBy(before, { used, size, cost });",
    what: "metadata of the usage is dropped",
  },
  {
    id: "P-META-01",
    file: "patch.ts",
    find: "  const next = gone === 0 ? whole : stated(whole);",
    replace: "  const next = whole as Meta;",
    what: "a key of null stays in metadata",
  },
  {
    id: "P-PLAN-02",
    file: "codec/v1/encode.ts",
    find: "return sending.peer.plans ? encodePlanById(event, around, sending)",
    replace: "return sending.peer.subagents ? encodePlanById(event, around, sending)",
    what: "plans by id depend on another capability",
  },
  {
    id: "P-PLAN-06",
    file: "slice/plans.ts",
    find: "filtered(plans, (plan) => plan.planId !== planId)",
    replace: "filtered(plans, (plan) => plan.planId === planId)",
    what: "the removal of a plan keeps it",
  },
  {
    id: "P-SUB1-02",
    file: "codec/v1/encode.ts",
    find: "return sending.peer.subagents ? [update(event, ...SUBAGENT)] : encodeOther(event, around, sending);",
    replace: "return [update(event, ...SUBAGENT)];",
    what: "clients of version 1 get children that they do not know",
  },
  {
    id: "P-SYS-01",
    file: "codec/session-calls.ts",
    find: "      systemPrompt: systemPrompt ?? undefined,",
    replace: "",
    what: "a system prompt is not sent",
  },
  {
    id: "P-CAP-03",
    file: "codec/introduction.ts",
    find: "    plan: mark(plans),",
    replace: "",
    what: "agents of version 1 are not offered plans by id",
  },
];

/** Rules of the Preview for agents. */
export const agentPreviewMutations: readonly Mutation[] = [
  {
    id: "P-REPLAY-01",
    file: "driver/v2.ts",
    find: '  replayed: ({ output }) => output.sendOnly({ type: "replay_complete" }),',
    replace: "",
    what: "no marker follows a replay",
  },
  {
    id: "P-REPLAY-03",
    file: "restore.ts",
    find: 'open.output.outbox.hold("restore", failReplay);',
    replace: 'open.output.outbox.hold("storing");',
    what: "what a cancelled turn said never follows the replay",
  },
  {
    id: "P-REPLAY-02",
    file: "restore.ts",
    find: "if (request.replay) session.driver.replayed?.(session);",
    replace: "session.driver.replayed?.(session);",
    what: "a marker follows a restore without a replay",
  },
  {
    id: "P-SYS-02",
    file: "capabilities.ts",
    find: 'const applies = mode === "append" || (mode === "override" && systemPrompt.override);',
    replace: 'const applies = mode === "append" || mode === "override";',
    what: "an agent takes a mode that it did not offer",
  },
  {
    id: "P-SYS-03",
    file: "capabilities.ts",
    find: 'if (systemPrompt === undefined) throw RpcError.invalidParams("system prompts are not supported");',
    replace: "if (systemPrompt === undefined) return;",
    what: "an agent ignores a system prompt",
  },
  {
    id: "P-BG-03",
    file: "agent-terminal.ts",
    find: "{ capabilities: null } : {};",
    replace: "{} : {};",
    what: "a terminal that ended can still be cancelled",
  },
];

/** Rules of the Preview for clients. */
export const clientPreviewMutations: readonly Mutation[] = [
  {
    id: "P-CAP-02",
    file: "negotiate.ts",
    find: "    plans: true,",
    replace: "    plans: false,",
    what: "a client that shows plans by id does not offer them",
  },
  {
    id: "P-REPLAY-11",
    file: "restoring.ts",
    find: 'if (isMarker) this.#part = "live";',
    replace: "",
    what: "an open session loses what follows the marker of a refused restore",
  },
  {
    id: "P-REPLAY-17",
    file: "restore.ts",
    find: "if (sessions.isReturning(sessionId)) {",
    replace: 'if (sessionId === "") {',
    what: "a session is restored twice at once",
  },
];

/** Rules of the Preview for connections. */
export const transportPreviewMutations: readonly Mutation[] = [
  {
    id: "P-ERR-01",
    file: "inbound-calls.ts",
    find: "const params = message.params ?? {};",
    replace: "const params = message.params === undefined ? {} : (message.params as object);",
    what: "params of null are refused",
  },
  {
    id: "P-BATCH-01",
    file: "channel-connection.ts",
    find: 'return this.#refuse("batches are not supported");',
    replace: "return undefined;",
    what: "an array gets no answer",
  },
];

/** Rules of the Preview for tools of tests. */
export const testingPreviewMutations: readonly Mutation[] = [
  {
    id: "P-CONF-04",
    file: "draft-forms.ts",
    find: 'const verdict = this.#claimsPreview && BROKEN.includes(form) ? "error" : "older draft";',
    replace: 'const verdict = BROKEN.includes(form) ? "error" : "older draft";',
    what: "a form of an older draft is an error",
  },
];
