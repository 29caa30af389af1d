import type { CheckFacts, Observation } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, errorOf, frameOf, isObject, labelOf, paramsOf, show, textOf } from "../../entry.js";
import type { Talk } from "../../talk.js";
import { problemsOf, unlistedMembers } from "../../validate.js";
import { fail } from "../../verdict.js";
import type { ClientCheck } from "../scene.js";

type EntryCheck = Omit<CheckFacts, "dialects" | "tier"> & Partial<Pick<CheckFacts, "tier">>;

/** Returns a check of each message of the client. `wrong` returns the fault of a message, or `undefined`. */
function eachEntry(facts: EntryCheck, wrong: (entry: Entry, talk: Talk) => string | undefined): ClientCheck {
  const watch = (talk: Talk): Observation => {
    for (const entry of talk.of("client")) {
      const problem = wrong(entry, talk);
      if (problem !== undefined) fail(problem, entry.request, entry);
    }
  };
  return { tier: "mandatory", dialects: everyDialect, ...facts, watch };
}

const isCall = ({ kind }: Entry) => kind === "request" || kind === "notification";
const isAnswer = ({ kind }: Entry) => kind === "result" || kind === "error";

/** Checks of every message that the client writes, in all scenes. */
export const messageChecks: readonly ClientCheck[] = [
  eachEntry(
    {
      id: "TKC-MSG-01",
      title: "Every line that the client writes is one JSON-RPC message.",
      requirements: ["V1-STDIO-04", "V1-RPC-01", "V2-TRA-02"],
      quick: true,
    },
    (entry) =>
      entry.kind === "other" && !Array.isArray(entry.frame)
        ? `this line is not a message: ${show(entry.line ?? entry.frame)}`
        : undefined,
  ),
  eachEntry(
    { id: "TKC-MSG-02", title: "Messages are not sent as batches.", requirements: ["V1-RPC-15", "P-BATCH-01"] },
    ({ frame }) => (Array.isArray(frame) ? "this line is a batch" : undefined),
  ),
  eachEntry(
    {
      id: "TKC-MSG-03",
      title: 'Every message has the member jsonrpc: "2.0".',
      requirements: ["V1-RPC-01", "V2-ENV-01"],
      quick: true,
    },
    (entry) =>
      entry.kind !== "other" && frameOf(entry).jsonrpc !== "2.0"
        ? `jsonrpc is ${show(frameOf(entry).jsonrpc)}`
        : undefined,
  ),
  eachEntry(
    { id: "TKC-MSG-04", title: "Every line is UTF-8.", requirements: ["V1-STDIO-02", "V2-TRA-02"] },
    ({ broken }) => (broken ? "these bytes are not UTF-8" : undefined),
  ),
  {
    id: "TKC-MSG-05",
    title: "The ids of requests are texts or integers, and no id occurs twice.",
    ...{
      tier: "mandatory",
      dialects: everyDialect,
      requirements: ["V1-RPC-02", "V1-RPC-05", "V2-ENV-02"],
      quick: true,
    },
    watch(talk) {
      const seen = new Map<unknown, Entry>();
      for (const entry of talk.of("client").filter(({ kind }) => kind === "request")) {
        const { id } = frameOf(entry);
        if (typeof id !== "string" && !Number.isInteger(id)) fail(`the id is ${show(id)}`, entry);
        if (seen.has(id)) fail(`the id ${show(id)} occurs twice`, seen.get(id), entry);
        seen.set(id, entry);
      }
    },
  },
  eachEntry(
    {
      id: "TKC-MSG-06",
      title: "An answer has a result or an error, and not both.",
      requirements: ["V1-RPC-09", "V1-RPC-10", "V2-ENV-01"],
    },
    (entry) => (isAnswer(entry) && "result" in frameOf(entry) && "error" in frameOf(entry) ? "it has both" : undefined),
  ),
  eachEntry(
    {
      id: "TKC-MSG-07",
      title: "An error has an integer as code and a text as message.",
      requirements: ["V1-RPC-09", "V1-ERR-01", "V2-ERR-01"],
    },
    (entry) => {
      if (entry.kind !== "error") return undefined;
      const { code, message } = errorOf(entry);
      return Number.isInteger(code) && typeof message === "string"
        ? undefined
        : `the error is ${show(frameOf(entry).error)}`;
    },
  ),
  {
    id: "TKC-MSG-08",
    title: "No request is answered twice.",
    ...{ tier: "mandatory", dialects: everyDialect, requirements: ["V1-RPC-06", "V2-ENV-09"], quick: true },
    watch(talk) {
      const answered = new Map<Entry, Entry>();
      for (const entry of talk.of("client")) {
        if (!isAnswer(entry) || !entry.request) continue;
        const before = answered.get(entry.request);
        if (before) fail("the request was answered before", entry.request, before, entry);
        answered.set(entry.request, entry);
      }
    },
  },
  eachEntry(
    {
      id: "TKC-MSG-09",
      title: "Every message follows the schema of the protocol.",
      requirements: ["V1-LEN-09", "V1-RPC-21", "V2-ENV-01"],
      quick: true,
    },
    (entry, { dialect }) => {
      const problem = problemsOf(entry, dialect.contract).find(({ kind }) => kind === "invalid");
      return problem && `${labelOf(entry)}: ${problem.path} ${problem.message}`;
    },
  ),
  eachEntry(
    {
      id: "TKC-MSG-10",
      title: "Members that the protocol does not have are only in _meta.",
      requirements: ["V1-EXT-02", "V2-EXT-02"],
    },
    (entry, { dialect }) => {
      const [first] = unlistedMembers(entry, dialect.published);
      // A client for several versions sends the members of all of them.
      return first === undefined || entry.method === "initialize" ? undefined : `${labelOf(entry)} has ${first}`;
    },
  ),
  eachEntry(
    {
      id: "TKC-MSG-11",
      title: "Methods are those of the protocol, or begin with an underscore.",
      requirements: ["V1-EXT-04", "V2-EXT-01"],
    },
    (entry, { dialect }) => {
      const { method = "" } = entry;
      if (!isCall(entry) || /^(_|\$\/)/.test(method)) return undefined;
      return Object.hasOwn(dialect.contract, method) ? undefined : `${method} is not a method of the protocol`;
    },
  ),
  eachEntry(
    { id: "TKC-MSG-12", title: "params are an object, if they are present.", requirements: ["V1-RPC-07", "V2-ENV-04"] },
    (entry) => {
      const { params } = frameOf(entry);
      return isCall(entry) && params !== undefined && !isObject(params) ? `params are ${show(params)}` : undefined;
    },
  ),
  eachEntry(
    {
      id: "TKC-MSG-13",
      title: "A call names only sessions that the agent has opened or announced.",
      requirements: ["V1-SESS-02", "V2-SES-02"],
    },
    (entry) => {
      const { sessionId } = paramsOf(entry);
      const isKnown = sessionId === undefined || textOf(sessionId).startsWith("conf-");
      return isCall(entry) && !isKnown ? `nobody opened the session ${show(sessionId)}` : undefined;
    },
  ),
];
