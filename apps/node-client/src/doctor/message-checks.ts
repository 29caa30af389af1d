import { isRpcError, rpcErrorCode } from "@turnkit/client";
import { foreignText, membersOf } from "../output/foreign-value.js";
import { answerTo, type Evidence, type Frame, failureOf, received, seconds, wireOf } from "./evidence.js";

export type Finding = {
  /** `problem`: the agent breaks the protocol, or clients fail with it. `hint`: the agent could do better. */
  readonly severity: "problem" | "hint";
  readonly seen: string;
  readonly advice: string;
};

/** Row of the doctor's table. Its faults are problems unless the row has another severity. */
export type Check = Partial<Pick<Finding, "severity">> &
  Pick<Finding, "advice"> & {
    /** Id of the check for scripts. It never changes. */
    readonly id: string;
    /** Sentence that is true if the check finds nothing. */
    readonly title: string;
    /** Returns `false` if the examination ended earlier, or if the agent does not have the feature. */
    readonly tested: (evidence: Evidence) => boolean;
    /**
     * Returns the fault, or `undefined` if there is none. The fault can have its own severity and advice, which replace
     * those of the row.
     */
    readonly seen: (evidence: Evidence) => string | (Partial<Finding> & Pick<Finding, "seen">) | undefined;
  };

/** Milliseconds that an agent may take to answer `initialize`. */
const SLOW_START = 5000;
/** Checks of the start and of single messages, in the order of the report. */
export const messageChecks: readonly Check[] = [
  {
    id: "starts",
    title: "starts and agrees on a version",
    advice:
      "Try the command in a shell: it must wait for JSON lines on stdin. Many agents need an argument such as --acp.",
    tested: () => true,
    seen: ({ start }) => failureOf(start),
  },
  {
    id: "protocol-version",
    title: "answers with a protocol version",
    advice:
      "Answer initialize with an integer: the client's version if you support it, otherwise the newest version that you support.",
    tested: (evidence) => {
      const answer = answerTo("initialize", evidence);
      return answer !== undefined && wireOf(answer).error === undefined;
    },
    seen: (evidence) => {
      const { protocolVersion: version } = initializeResult(evidence);
      if (Number.isInteger(version)) return undefined;
      if (version === undefined) return "the answer to initialize has no protocolVersion";
      return `protocolVersion: ${foreignText(version)}`;
    },
  },
  {
    id: "start-time",
    title: "starts soon",
    severity: "hint",
    advice:
      "Answer initialize first and load models, indexes and servers afterwards. A package runner adds its own time.",
    tested: ({ start }) => start?.status === "done",
    seen: ({ start: { ms } = { ms: 0 } }) =>
      ms <= SLOW_START ? undefined : `${seconds(ms)} from its start to the answer to initialize`,
  },
  {
    id: "agent-info",
    title: "sends its name and version",
    severity: "hint",
    advice: "Send agentInfo with name and version, because clients show it. Version 2 of the protocol requires it.",
    tested: (evidence) => answerTo("initialize", evidence) !== undefined && evidence.start?.status === "done",
    seen: (evidence) => {
      const { agentInfo, info = agentInfo } = initializeResult(evidence);
      if (info === undefined) return "no agentInfo in the answer to initialize";
      const { name, version } = membersOf(info);
      const isComplete = typeof name === "string" && typeof version === "string";
      return isComplete ? undefined : "an agentInfo without a name or a version";
    },
  },
  {
    id: "stdout-noise",
    title: "writes nothing but messages to stdout",
    advice: "Write all logs to stderr, including logs of libraries. Some clients close the connection at such a line.",
    tested: (evidence) => evidence.noise.length > 0 || hasMessages(evidence),
    seen: ({ noise }) =>
      counted(
        noise.map((line) => JSON.stringify(line)),
        "line on stdout that is not JSON",
        "lines on stdout that are not JSON",
      ),
  },
  {
    id: "message-form",
    title: "every message is JSON-RPC 2.0",
    advice:
      'Each message is one object with "jsonrpc": "2.0"; an answer has the id of its request, and a result or an error.',
    tested: hasMessages,
    seen: (evidence) => counted(received(evidence).flatMap(formFault), "fault"),
  },
  {
    id: "volume",
    title: "sends an amount of messages that clients can keep",
    advice: "Send what a client shows, and each part of it once. Leave out your own logs and raw data.",
    tested: hasMessages,
    seen: ({ flooded }) => (flooded ? "more than 64 MiB of messages, after which the examination ended" : undefined),
  },
  {
    id: "null-id",
    title: "sends requests with ids",
    advice: "Give every request its own id, a number or a text. With null, two answers cannot be distinguished.",
    tested: hasMessages,
    seen: (evidence) => {
      const requests = received(evidence).map(wireOf);
      const faulty = requests.filter(({ id, method }) => id === null && typeof method === "string");
      return counted(
        faulty.map(({ method }) => String(method)),
        "request with the id null",
      );
    },
  },
  {
    id: "unknown-answer",
    title: "answers each request once",
    advice: "Answer each request once, with an id of the same value and type. Do not answer notifications.",
    tested: hasMessages,
    seen: ({ diagnostics }) => {
      const count = diagnostics.filter(({ code }) => code === "unknown_response").length;
      if (count === 0) return undefined;
      return `${count === 1 ? "one answer" : `${count} answers`} to no open request`;
    },
  },
  {
    id: "valid-messages",
    title: "sends messages that fit the protocol's schema",
    advice: "Validate your messages with the protocol's schema; turnkit trace show --full shows the message.",
    tested: hasMessages,
    seen: ({ diagnostics }) =>
      counted(
        diagnostics
          .filter(({ code }) => ["invalid_message", "dropped", "late_update"].includes(code))
          .map(({ message }) => message),
        "message that had to be dropped or refused",
        "messages that had to be dropped or refused",
      ),
  },
  {
    id: "unknown-method",
    title: "refuses methods that it does not have",
    advice:
      "Answer a request of an unknown method with the error -32601, so that clients can find out which methods you support.",
    tested: ({ unknownMethod }) => unknownMethod !== undefined,
    seen: ({ unknownMethod: outcome }) => {
      if (outcome?.status === "failed" && isRpcError(outcome.error, rpcErrorCode.methodNotFound)) return undefined;
      return `as the answer to the request _turnkit/doctor: ${failureOf(outcome) ?? "a result"}`;
    },
  },
];

function hasMessages(evidence: Evidence): boolean {
  return received(evidence).length > 0;
}

/** Returns the agent's answer to `initialize`, or `{}` without an answer. */
export function initializeResult(evidence: Evidence): Readonly<Record<string, unknown>> {
  const answer = answerTo("initialize", evidence);
  return membersOf(answer && wireOf(answer).result);
}

function formFault(frame: Frame): readonly string[] {
  const { jsonrpc, id, method, result, error } = wireOf(frame);
  if (Array.isArray(frame.message)) return ["an array"];
  if (jsonrpc !== "2.0") return [`jsonrpc: ${jsonrpc === undefined ? "missing" : foreignText(jsonrpc)}`];
  if (method !== undefined) return typeof method === "string" ? [] : ["a method that is not a text"];
  if (id === undefined) return ["an answer without an id"];
  const hasOne = (result === undefined) !== (error === undefined);
  return hasOne ? [] : ["an answer with both or neither of result and error"];
}

/**
 * Returns the number of faults and the first fault as text; `undefined` if there are none. `many` is the plural form of
 * `one`.
 */
export function counted(things: readonly string[], one: string, many = `${one}s`): string | undefined {
  const [first] = things;
  if (first === undefined) return undefined;
  const quoted = first.length > 200 ? `${first.slice(0, 200)}…` : first;
  return things.length === 1 ? `one ${one}: ${quoted}` : `${things.length} ${many}, the first: ${quoted}`;
}
