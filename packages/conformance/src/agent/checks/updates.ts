import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, type Frame, membersOf, objectsIn, resultOf, show, updateKind, updateOf } from "../../entry.js";
import { sessionOf, type Talk } from "../../talk.js";
import { expect, fail, skip } from "../../verdict.js";
import { isAbsolute } from "./client-tools.js";

const messageKinds = ["user_message", "agent_message", "agent_thought"].flatMap((kind) => [kind, `${kind}_chunk`]);
const finals = new Set<unknown>(["completed", "failed", "cancelled"]);

/** Checks of the content of updates, in addition to the schema. */
export const updateChecks: readonly AgentCheck[] = [
  {
    id: "ACP-PATCH-201",
    title: "Every update of a message, whole or a chunk, has the id of the message.",
    tier: "capability",
    dialects: ["v2", "seed"],
    requirements: ["V2-UPD-10"],
    watch(talk) {
      const updates = talk.updates(...messageKinds);
      if (updates.length === 0) skip("No message came.");
      for (const entry of updates) {
        const { messageId } = updateOf(entry) ?? {};
        expect(typeof messageId === "string" && messageId !== "", `messageId is ${show(messageId)}`, entry);
      }
    },
  },
  {
    id: "ACP-PATCH-204",
    title: "Every update of a tool call has the id of the call.",
    tier: "capability",
    dialects: everyDialect,
    requirements: ["V1-UPD-10", "V1-UPD-13", "V2-TOOL-01", "V2-TOOL-06"],
    quick: true,
    watch(talk) {
      const updates = talk.updates("tool_call", "tool_call_update", "tool_call_content_chunk");
      if (updates.length === 0) skip("No tool call came.");
      for (const entry of updates) {
        const { toolCallId } = updateOf(entry) ?? {};
        expect(typeof toolCallId === "string" && toolCallId !== "", `toolCallId is ${show(toolCallId)}`, entry);
      }
    },
  },
  {
    id: "ACP-PATCH-205",
    title: "Every plan has an id.",
    tier: "capability",
    dialects: ["v2", "seed"],
    requirements: ["V2-UPD-16", "P-PLAN-03"],
    watch(talk) {
      const updates = talk.updates("plan_update");
      if (updates.length === 0) skip("No plan came.");
      for (const entry of updates) {
        const { planId, id } = membersOf(updateOf(entry)?.plan);
        const [name, found] = talk.dialect.name === "seed" ? ["plan.id", id] : ["planId", planId];
        expect(typeof found === "string" && found !== "", `${name} is ${show(found)}`, entry);
      }
    },
  },
  {
    id: "TK-PLAN-01",
    title: "Every update of a plan has all of its entries.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-UPD-20", "V2-UPD-16", "V2-UPD-17"],
    watch(talk) {
      const plans = new Map<string, Map<unknown, Entry | undefined>>();
      for (const entry of talk.entries) {
        // A new turn makes another plan, and a replay repeats the old ones.
        if (entry.by === "client" && /^session\/(prompt|load|resume)$/.test(entry.method ?? "")) plans.clear();
        const kind = updateKind(entry);
        if (kind === "plan" || kind === "plan_update") expectWholePlan(plans, entry);
      }
      if (talk.updates("plan", "plan_update").length === 0) skip("No plan came.");
    },
  },
  {
    id: "ACP-PATCH-206",
    title: "The folder of a terminal is absolute, and does not change.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-TERM-03", "V2-ENV-11"],
    watch(talk) {
      const folders = new Map<unknown, Entry>();
      for (const entry of talk.updates("terminal_update")) {
        const { terminalId, cwd } = updateOf(entry) ?? {};
        if (cwd == null) continue;
        expect(isAbsolute(cwd), `the folder is ${show(cwd)}`, entry);
        const first = folders.get(terminalId) ?? entry;
        folders.set(terminalId, first);
        expect(updateOf(first)?.cwd === cwd, "the folder has changed", first, entry);
      }
      if (folders.size === 0) skip("No terminal named its folder.");
    },
  },
  {
    id: "ACP-PATCH-207",
    title: "Every piece of output of a terminal is complete base64.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-TERM-04", "V2-TERM-05"],
    watch(talk) {
      const updates = talk.updates("terminal_update", "terminal_output_chunk");
      if (updates.length === 0) skip("No terminal came.");
      for (const entry of updates) {
        const { data = membersOf(updateOf(entry)?.output).data } = updateOf(entry) ?? {};
        if (data !== undefined) expect(isBase64(data), `the data are ${show(data)}`, entry);
      }
    },
  },
  {
    id: "ACP-PATCH-208",
    title: "The first report of a tool call has a title.",
    tier: "advisory",
    dialects: ["v2", "seed"],
    requirements: ["V2-TOOL-05"],
    watch(talk) {
      for (const [first] of toolCalls(talk).values()) {
        const { title } = talk.toolCallOf(first as Entry) ?? {};
        expect(typeof title === "string" && title !== "", `the title is ${show(title)}`, first);
      }
    },
  },
  {
    id: "TK-TOOL-01",
    title: "A tool call begins with tool_call or with a permission question.",
    tier: "advisory",
    dialects: ["v1"],
    requirements: ["V1-TOOL-01", "V1-PERM-06"],
    watch(talk) {
      for (const [first] of toolCalls(talk).values())
        expect(updateKind(first as Entry) !== "tool_call_update", "nobody knows this tool call yet", first);
    },
  },
  {
    id: "TK-TOOL-02",
    title: "A tool call is announced once: tool_call has a new id.",
    tier: "advisory",
    dialects: ["v1"],
    requirements: ["V1-TOOL-01", "V1-UPD-12"],
    quick: true,
    watch(talk) {
      for (const reports of toolCalls(talk).values()) {
        const [first, second] = reports.filter((entry) => updateKind(entry) === "tool_call");
        const { toolCallId } = (second && updateOf(second)) ?? {};
        // A replay repeats the calls of the session.
        const isReplay = first && second && replayBetween(talk, first, second);
        if (second && !isReplay) fail(`the tool call ${show(toolCallId)} was announced before`, first, second);
      }
    },
  },
  {
    id: "TK-TOOL-03",
    title: "A turn that ends by itself leaves no tool call without a final status.",
    tier: "advisory",
    dialects: ["v1", "seed"],
    requirements: ["V1-TOOL-04"],
    quick: true,
    watch(talk) {
      const ends = talk.results("session/prompt");
      for (const end of ends.filter((entry) => resultOf(entry).stopReason === "end_turn")) {
        const open = [...toolCalls(talk).values()].find((reports) => {
          const mine = reports.filter((entry) => entry.index < end.index && entry.index > (end.request?.index ?? 0));
          const statuses = mine.flatMap((entry) => talk.toolCallOf(entry)?.status ?? []);
          return (
            mine.length > 0 &&
            sessionOf(mine[0] as Entry) === sessionOf(end.request as Entry) &&
            !finals.has(statuses.at(-1))
          );
        });
        if (open) fail("the tool call has no final status", open.at(-1), end);
      }
    },
  },
  {
    id: "TK-PATHS-01",
    title: "Paths of locations and diffs are absolute, and lines are counted from 1.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-RPC-23", "V1-TOOL-07", "V1-TOOL-10", "V2-ENV-11", "V2-TOOL-08", "V2-DIFF-02"],
    quick: true,
    watch(talk) {
      let judged = 0;
      for (const entry of talk.of("agent")) {
        const call = talk.toolCallOf(entry);
        if (call === undefined) continue;
        for (const path of pathsOf(call)) {
          judged += 1;
          expect(isAbsolute(path), `the path is ${show(path)}`, entry);
        }
        for (const { line } of objectsIn(call.locations))
          expect(line == null || Number(line) >= 1, `the line is ${show(line)}`, entry);
      }
      if (judged === 0) skip("No tool call named a path.");
    },
  },
  {
    id: "TK-TOOL-04",
    title: "tool_call/cancel for a call that does not exist is answered with the error -32602.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-TOOL-13"],
    run: async (agent) => {
      const sessionId = await agent.open();
      expectRefused(await agent.ask("tool_call/cancel", { sessionId, toolCallId: "turnkit-nobody" }));
    },
  },
  {
    id: "TK-TERM-07",
    title: "terminal/cancel for a terminal that does not exist is answered with the error -32602.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-TERM-12"],
    run: async (agent) => {
      const sessionId = await agent.open();
      expectRefused(await agent.ask("terminal/cancel", { sessionId, terminalId: "turnkit-nobody" }));
    },
  },
];

/** Fails for an entry that comes back after it was left out. A plan may lose an entry for good. */
function expectWholePlan(plans: Map<string, Map<unknown, Entry | undefined>>, entry: Entry): void {
  const { plan, entries } = updateOf(entry) ?? {};
  const { planId, id, entries: items = entries } = membersOf(plan);
  const key = show([sessionOf(entry), planId ?? id]);
  /** Update without an entry that was seen before, or `undefined` for an entry of the newest update. */
  const seen = plans.get(key) ?? new Map<unknown, Entry | undefined>();
  plans.set(key, seen);
  const now = objectsIn(items).map(({ content }) => content);
  for (const content of now) {
    const without = seen.get(content);
    if (without) fail(`the entry ${show(content)} was left out of an update`, without, entry);
    seen.set(content, undefined);
  }
  for (const [content, without] of seen) if (!now.includes(content)) seen.set(content, without ?? entry);
}

function expectRefused(answer: Entry): void {
  const { code } = membersOf((answer.frame as Frame).error);
  expect(code === -32602, `expected the error -32602, got ${show(answer.frame)}`, answer.request, answer);
}

/** Returns the reports of each tool call by session and id, in their order. */
function toolCalls(talk: Talk): ReadonlyMap<string, readonly Entry[]> {
  const calls = new Map<string, Entry[]>();
  for (const entry of talk.of("agent")) {
    const toolCallId = talk.toolCallOf(entry)?.toolCallId;
    if (toolCallId === undefined) continue;
    const key = `${show(sessionOf(entry))} ${show(toolCallId)}`;
    calls.set(key, [...(calls.get(key) ?? []), entry]);
  }
  return calls;
}

function replayBetween(talk: Talk, first: Entry, second: Entry): boolean {
  return talk
    .of("client")
    .some(
      ({ index, method }) =>
        /^session\/(load|resume)$/.test(method ?? "") && index > first.index && index < second.index,
    );
}

function pathsOf({ locations, content }: Frame): readonly unknown[] {
  const diffs = objectsIn(content).filter(({ type }) => type === "diff");
  const changed = diffs.flatMap((diff) =>
    objectsIn(diff.changes).flatMap(({ path, oldPath }) => [path, oldPath ?? path]),
  );
  return [...objectsIn(locations).map(({ path }) => path), ...diffs.flatMap(({ path }) => path ?? []), ...changed];
}

function isBase64(data: unknown): boolean {
  return typeof data === "string" && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}
