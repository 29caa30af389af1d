import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, frameOf, isObject, labelOf, show, textOf, updateKind } from "../../entry.js";
import type { Talk } from "../../talk.js";
import { problemsOf, unlistedMembers } from "../../validate.js";
import { expect, fail, skip } from "../../verdict.js";

const toolUpdates = /^(tool_call|terminal_)/;
const planUpdates = /^plan/;
const settingUpdates =
  /^(current_mode_update|config_option_update|available_commands_update|session_info_update|usage_update|state_update)$/;
const opening = new Set(["initialize", "session/new", "session/prompt"]);

/** Checks of every message against the schema of its dialect. */
// CONF-04
export const schemaChecks: readonly AgentCheck[] = [
  {
    id: "ACP-SCHEMA-001",
    title: "The results of initialize, session/new and session/prompt follow the schema.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-LEN-09", "V1-INIT-08", "V1-SESS-02", "V1-PROMPT-08", "V2-INIT-02", "V2-SES-01", "V2-PRM-01"],
    quick: true,
    watch: (talk) => expectValid(talk, ({ kind, method = "" }) => kind === "result" && opening.has(method)),
  },
  {
    id: "TK-SCHEMA-02",
    title: "The results of all other methods follow the schema.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-LEN-09", "V1-SESS-29", "V1-SESS-30", "V1-CFG-09", "V2-SES-07", "V2-SES-22"],
    quick: true,
    watch: (talk) => expectValid(talk, ({ kind, method = "" }) => kind === "result" && !opening.has(method)),
  },
  {
    id: "ACP-PROMPT-002",
    title: "Updates of messages follow the schema.",
    tier: "mandatory",
    dialects: ["v1", "seed"],
    requirements: ["V1-UPD-01", "V1-UPD-03", "V2-SEED-21"],
    quick: true,
    watch: expectValidMessages,
  },
  {
    id: "ACP-PROMPT-205",
    title: "Updates of messages follow the schema.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-UPD-01", "V2-UPD-10"],
    quick: true,
    watch: expectValidMessages,
  },
  {
    id: "TK-SCHEMA-03",
    title: "Updates of tool calls and terminals follow the schema.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-UPD-10", "V1-UPD-13", "V1-TOOL-06", "V2-TOOL-07", "V2-TERM-03", "V2-DIFF-01"],
    quick: true,
    watch: (talk) => expectValid(talk, (entry) => toolUpdates.test(updateKind(entry) ?? "")),
  },
  {
    id: "TK-SCHEMA-04",
    title: "Updates of plans follow the schema.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-UPD-20", "V2-UPD-16", "V2-UPD-17"],
    quick: true,
    watch: (talk) => expectValid(talk, (entry) => planUpdates.test(updateKind(entry) ?? "")),
  },
  {
    id: "TK-SCHEMA-05",
    title: "Updates of modes, options, commands, titles, usage and states follow the schema.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-UPD-23", "V1-UPD-24", "V1-UPD-25", "V1-UPD-29", "V2-UPD-15", "V2-UPD-19", "V2-UPD-21"],
    quick: true,
    watch: (talk) => expectValid(talk, (entry) => settingUpdates.test(updateKind(entry) ?? "")),
  },
  {
    id: "TK-PERM-01",
    title: "A permission question follows the schema.",
    tier: "mandatory",
    dialects: ["v1", "seed"],
    requirements: ["V1-PERM-01"],
    watch: expectValidQuestions,
  },
  {
    id: "ACP-PERM-201",
    title: "A permission question follows the schema, with a title and at least one option.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-PERM-01", "V2-PERM-03"],
    watch: expectValidQuestions,
  },
  {
    id: "TK-SCHEMA-06",
    title: "Requests for files and terminals follow the schema.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-FS-02", "V1-FS-05", "V1-TERM-02"],
    watch: (talk) =>
      expectValid(talk, ({ kind, method = "" }) => kind === "request" && /^(fs|terminal)\//.test(method)),
  },
  {
    id: "ACP-SCHEMA-002",
    title: "No message has a member that the protocol does not define. Extensions are in _meta.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-EXT-02", "V2-EXT-01"],
    watch(talk) {
      for (const entry of spoken(talk)) {
        const [member] = unlistedMembers(entry, talk.dialect.published);
        expect(member === undefined, `${labelOf(entry)} has the member ${member}`, entry);
      }
    },
  },
  {
    id: "ACP-META-201",
    title: "_meta is an object or null, wherever it is.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-EXT-01", "V2-DEC-01"],
    watch(talk) {
      for (const entry of talk.of("agent")) {
        const wrong = metaIn(entry.frame).find((meta) => meta !== null && !isObject(meta));
        expect(wrong === undefined, `_meta is ${show(wrong)}`, entry);
      }
    },
  },
  {
    id: "TK-ENUM-01",
    title: "Kinds and statuses of tool calls, and priorities and statuses of plans are those of the protocol.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-TOOL-02", "V1-TOOL-03", "V1-UPD-20", "V1-LEN-06"],
    quick: true,
    watch: (talk) => expectKnown(talk, (path) => /(kind|status|priority)$/.test(path)),
  },
  {
    id: "ACP-ENUM-201",
    title: "Kinds and statuses of tool calls, and priorities and statuses of plans are known or begin with _.",
    tier: "capability",
    dialects: ["v2", "seed"],
    requirements: ["V2-TOOL-03", "V2-TOOL-04", "V2-UPD-17", "V2-EXT-01"],
    quick: true,
    watch: (talk) => expectKnown(talk, (path) => /(kind|status|priority)$/.test(path)),
  },
  {
    id: "ACP-ENUM-202",
    title: "Types of updates and of content are those of the protocol.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-CONT-09", "V1-LEN-10", "V1-LEN-07", "V2-EXT-01", "V2-EXT-04"],
    quick: true,
    watch: (talk) => expectKnown(talk, (path) => !/(kind|status|priority)$/.test(path)),
  },
  {
    id: "TK-CLIENTCAP-04",
    title: "The agent calls only methods of the protocol, and extensions that begin with _.",
    tier: "mandatory",
    dialects: ["v1", "seed"],
    requirements: ["V1-EXT-04", "V1-INIT-10"],
    watch: expectKnownMethods,
  },
  {
    id: "ACP-CLIENTCAP-202",
    title: "The agent calls only methods of the protocol, and extensions that begin with _.",
    tier: "capability",
    dialects: ["v2"],
    requirements: ["V2-EXT-06", "V2-INIT-13"],
    watch: expectKnownMethods,
  },
];

/** Returns the messages of the dialect. Checks of negotiation ask for other versions, which have other forms. */
function spoken(talk: Talk): readonly Entry[] {
  return talk.of("agent").filter(({ method, request }) => method !== "initialize" || !request?.deliberate);
}

function expectValid(talk: Talk, fits: (entry: Entry) => boolean): void {
  const entries = spoken(talk).filter(fits);
  if (entries.length === 0) skip("No such message was sent.");
  for (const entry of entries) {
    const problem = problemsOf(entry, talk.dialect.contract).find(({ kind }) => kind === "invalid");
    if (problem === undefined) continue;
    const found = problem.value === undefined ? "" : `, in ${show(problem.value)}`;
    fail(`${labelOf(entry)}: ${problem.path} ${problem.message}${found}`, entry);
  }
}

function expectValidMessages(talk: Talk): void {
  expectValid(talk, (entry) => {
    const kind = updateKind(entry) ?? "";
    const isOther = toolUpdates.test(kind) || planUpdates.test(kind) || settingUpdates.test(kind);
    return entry.method === "session/update" && entry.kind === "notification" && !isOther;
  });
}

function expectValidQuestions(talk: Talk): void {
  expectValid(talk, ({ kind, method }) => kind === "request" && method === "session/request_permission");
}

function expectKnown(talk: Talk, fits: (path: string) => boolean): void {
  for (const entry of talk.of("agent")) {
    if (entry.method !== "session/update" && entry.method !== "session/request_permission") continue;
    const problem = problemsOf(entry, talk.dialect.contract).find(({ kind, path }) => kind === "unknown" && fits(path));
    if (problem) fail(`${labelOf(entry)}: ${problem.path} is ${show(problem.value)}`, entry);
  }
}

function expectKnownMethods(talk: Talk): void {
  for (const entry of talk.of("agent")) {
    if (entry.kind !== "request" && entry.kind !== "notification") continue;
    const { method } = frameOf(entry);
    const name = textOf(method);
    const row = Object.hasOwn(talk.dialect.contract, name) ? talk.dialect.contract[name] : undefined;
    const isKnown = row !== undefined && row.from !== "client";
    expect(isKnown || /^(_|\$\/)/.test(name), `${name} is not a method that an agent calls`, entry);
  }
}

function metaIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(metaIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === "_meta" ? [member] : /^raw(In|Out)put$/.test(name) ? [] : metaIn(member),
  );
}
