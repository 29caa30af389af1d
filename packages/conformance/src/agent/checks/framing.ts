import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, frameOf, isObject, show } from "../../entry.js";
import { idOf } from "../../talk.js";
import { expect, fail, skip } from "../../verdict.js";
import type { AgentTrial } from "../agent-trial.js";

/** Pause between the pieces of a message, in milliseconds. */
const PIECE_MS = 10;

const text = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** Checks of lines, bytes and the end of the process. */
export const framingChecks: readonly AgentCheck[] = [
  {
    id: "ACP-TRANSPORT-001",
    title: "Every line on stdout is one JSON-RPC 2.0 message.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-STDIO-02", "V1-STDIO-03", "V1-RPC-01", "V2-TRA-01", "V2-TRA-02", "V2-ENV-01"],
    quick: true,
    watch(talk) {
      const bad = talk.of("agent").find((entry) => entry.kind === "other" || frameOf(entry).jsonrpc !== "2.0");
      if (bad) fail(`this line is not a JSON-RPC 2.0 message: ${bad.line ?? show(bad.frame)}`, bad);
    },
  },
  {
    id: "ACP-TRANSPORT-002",
    title: "Stdout is UTF-8.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-STDIO-02", "V2-TRA-01"],
    quick: true,
    watch(talk) {
      const bad = talk.of("agent").find(({ broken }) => broken);
      if (bad) fail("the bytes of this line are not UTF-8", bad);
    },
  },
  {
    id: "TK-FRAMING-01",
    title: "A line that ends with CRLF is read like one that ends with LF.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-STDIO-06", "V2-TRA-03"],
    async run(agent) {
      await agent.ready();
      await isRead(agent, (line) => agent.line.text(line.replace("\n", "\r\n")));
    },
  },
  {
    id: "TK-FRAMING-02",
    title: "Blank lines are skipped.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-STDIO-06", "V2-TRA-03"],
    async run(agent) {
      await agent.ready();
      const before = agent.talk.entries.length;
      await isRead(agent, (line) => agent.line.text(`\n\r\n${line}`));
      const answers = agent.talk.of("agent", before).filter(({ kind }) => kind === "error" || kind === "result");
      expect(answers.length === 1, "a blank line was answered", ...answers);
    },
  },
  {
    id: "TK-FRAMING-03",
    title: "A message that arrives in several pieces is read, even if a piece ends inside a character.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-STDIO-02", "V1-STDIO-06", "V2-TRA-01"],
    quick: true,
    async run(agent) {
      await agent.ready();
      const id = "zwölf Töne — 音 🎵";
      // A piece has at most 3 bytes, so one piece ends inside the note character, which has 4 bytes.
      const sizes = [20, ...Array.from({ length: 20 }, () => 1 + agent.options.random(3))];
      const ms = Math.min(PIECE_MS, agent.options.timeoutMs / 10);
      const [request] = await agent.line.slowly(text(custom(id)), sizes, ms);
      const isAnswer = ({ kind }: Entry) => kind === "result" || kind === "error";
      const answer = await agent.next(isAnswer, `answer to the request ${show(id)}`, request);
      expect(answer.request === request, `the id ${show(id)} was read as ${show(idOf(answer))}`, request, answer);
    },
  },
  {
    id: "TK-FRAMING-04",
    title: "Several messages in one write are all read.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-STDIO-02", "V2-TRA-01"],
    async run(agent) {
      await agent.ready();
      const ids = ["one", "two", "three"];
      const requests = agent.line.text(ids.map((id) => text(custom(id))).join(""));
      for (const request of requests) await agent.answerTo(request);
    },
  },
  {
    id: "TK-FRAMING-05",
    title: "The last line is read even without a line end.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-STDIO-06", "V2-TRA-03"],
    async run(agent) {
      await agent.ready();
      const [request] = agent.line.text(text(custom("last")).trimEnd());
      await agent.line.end(agent.options.timeoutMs);
      expect(
        agent.talk.entries.some((entry) => entry.request === request),
        "the last line was not answered",
        request,
      );
    },
  },
  {
    id: "TK-FRAMING-06",
    title: "A line that is not JSON does not end the connection.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-STDIO-08", "V1-RPC-14", "V2-ENV-07"],
    quick: true,
    async run(agent) {
      await agent.ready();
      const [line] = agent.line.text('{"jsonrpc": "2.0", "id": 7, "method": \n');
      await agent.expectUsable(line);
    },
  },
  {
    id: "ACP-INFO-PARSE-001",
    title: "The answer to a line that is not JSON is noted.",
    tier: "informational",
    dialects: everyDialect,
    requirements: ["V1-RPC-14", "V2-ENV-07"],
    async run(agent) {
      await agent.ready();
      agent.line.text("this is not JSON\n");
      return answerAfter(agent);
    },
  },
  {
    id: "TK-FRAMING-07",
    title: "U+2028 and U+2029 in a text do not end a line.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-STDIO-06", "V2-TRA-01"],
    async run(agent) {
      await agent.ready();
      const request = agent.begin("_turnkit/lines", { text: "one\u2028two\u2029three" });
      await agent.answerTo(request);
    },
  },
  {
    id: "TK-FRAMING-08",
    title: "A message of one MiB is read.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-STDIO-07", "V2-TRA-04"],
    async run(agent) {
      await agent.ready();
      await agent.answerTo(agent.begin("_turnkit/large", { text: "x".repeat(1 << 20) }));
    },
  },
  {
    id: "TK-FRAMING-09",
    title: "A message with 500 levels does not end the connection.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-STDIO-08", "V2-ENV-07"],
    async run(agent) {
      await agent.ready();
      const levels = 500;
      const [line] = agent.line.text(
        `{"jsonrpc":"2.0","method":"_turnkit/deep","params":{"a":${"[".repeat(levels)}${"]".repeat(levels)}}}\n`,
      );
      await agent.expectUsable(line);
    },
  },
  {
    id: "TK-FRAMING-10",
    title: "Nothing is lost if the client reads late.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-RPC-06", "V1-RPC-17", "V2-ENV-09"],
    async run(agent) {
      await agent.ready();
      const resume = agent.line.pause();
      const requests = Array.from({ length: 100 }, (_, at) => agent.begin("_turnkit/late", { at }));
      // The agent writes during this round of the event loop, and the runner does not read.
      await new Promise((resolve) => setTimeout(resolve, 0));
      resume();
      for (const request of requests) await agent.answerTo(request);
    },
  },
  {
    id: "ACP-SHUTDOWN-001",
    title: "The agent ends when its stdin ends.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-STDIO-09", "V1-RPC-20", "V2-TRA-06", "V2-TRA-07"],
    quick: true,
    async run(agent) {
      await agent.ready();
      const ended = await agent.line.end(agent.options.timeoutMs);
      expect(ended, `the agent still runs ${agent.options.timeoutMs / 1000} s after the end of its stdin`);
    },
  },
  {
    id: "TK-SHUTDOWN-02",
    title: "The agent ends when its stdin ends in the middle of a turn.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-RPC-20", "V2-TRA-06"],
    async run(agent) {
      await agent.longTurn(await agent.open());
      const ended = await agent.line.end(agent.options.timeoutMs);
      expect(ended, `the agent still runs ${agent.options.timeoutMs / 1000} s after the end of its stdin`);
    },
  },
  {
    id: "ACP-STDERR-001",
    title: "The amount of text on stderr is noted.",
    tier: "informational",
    dialects: everyDialect,
    requirements: ["V1-STDIO-05", "V2-TRA-02"],
    async run(agent) {
      const { stderr } = agent.pipe;
      if (stderr === undefined) skip("This agent has no stderr.");
      await agent.open();
      return `${stderr?.().length} characters on stderr`;
    },
  },
];

const custom = (id: unknown, params: object = {}) => ({ jsonrpc: "2.0", id, method: "_turnkit/read", params });

/** Sends one request in its own way. The agent has to answer it. */
async function isRead(
  agent: AgentTrial,
  write: (line: string) => readonly Entry[],
  params: object = {},
): Promise<void> {
  const [request] = write(text(custom("read", params)));
  await agent.answerTo(request as Entry);
}

/** Describes the messages of the agent between a wrong line and the answer to the next request. */
export async function answerAfter(agent: AgentTrial): Promise<string> {
  const from = agent.talk.entries.length;
  const usable = await agent.ask("_turnkit/after", {});
  const said = agent.talk
    .of("agent", from)
    .filter(({ index, kind }) => index < usable.index && kind !== "notification");
  if (said.length === 0) return "no answer";
  return `answered: ${said.map(({ frame }) => show(isObject(frame) ? (frame.error ?? frame) : frame)).join(", ")}`;
}
