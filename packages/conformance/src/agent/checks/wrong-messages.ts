import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, errorOf, show } from "../../entry.js";
import { idOf } from "../../talk.js";
import { expect, expectError } from "../../verdict.js";
import { answerAfter } from "./framing.js";
import { isAnswer } from "./messages.js";

/** Checks of the reaction to messages that are wrong. */
export const wrongMessageChecks: readonly AgentCheck[] = [
  {
    id: "TK-JSONRPC-09",
    title: "Wrong params are answered with the error -32602.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-RPC-13", "V2-DEC-10"],
    quick: true,
    async run(agent) {
      await agent.ready();
      expectError(await agent.ask("session/new", { cwd: 7, mcpServers: [] }, "deliberate"), -32602);
    },
  },
  {
    id: "TK-JSONRPC-10",
    title: "Params in a list are answered with the error -32602.",
    tier: "mandatory",
    dialects: ["v1", "v2"],
    requirements: ["V1-RPC-07", "V2-DEC-10"],
    async run(agent) {
      await agent.ready();
      expectError(await agent.ask("session/new", [agent.options.cwd, []], "deliberate"), -32602);
    },
  },
  {
    id: "TK-JSONRPC-11",
    title: "A missing member of the params is answered with the error -32602, even if there are no params.",
    tier: "mandatory",
    dialects: ["v1", "v2"],
    requirements: ["V1-RPC-07", "V2-ENV-10"],
    async run(agent) {
      await agent.ready();
      expectError(await agent.ask("session/new", undefined, "deliberate"), -32602);
    },
  },
  {
    id: "TK-JSONRPC-12",
    title: "A list of messages is answered with one error -32600 with the id null, and no message of it is processed.",
    tier: "mandatory",
    dialects: ["v1", "v2"],
    requirements: ["V1-RPC-15", "V2-ENV-06", "P-BATCH-01"],
    quick: true,
    run: async (agent) => {
      await agent.ready();
      const from = agent.talk.entries.length;
      const batch = [1, 2].map((id) => ({ jsonrpc: "2.0", id: `batch-${id}`, method: "_turnkit/batch", params: {} }));
      agent.line.text(`${JSON.stringify(batch)}\n`);
      const settled = await agent.settle();
      const said = agent.talk
        .of("agent", from)
        .filter((entry) => entry.index < settled.index && entry.kind !== "notification");
      expectOneRefusal(said);
    },
  },
  {
    id: "ACP-BATCH-201",
    title: "An empty list is answered with one error -32600 with the id null.",
    tier: "mandatory",
    dialects: ["v1", "v2"],
    requirements: ["V1-RPC-15", "V2-ENV-06", "P-BATCH-01"],
    async run(agent) {
      await agent.ready();
      const from = agent.talk.entries.length;
      agent.line.text("[]\n");
      const settled = await agent.settle();
      const said = agent.talk
        .of("agent", from)
        .filter((entry) => entry.index < settled.index && entry.kind !== "notification");
      expectOneRefusal(said);
    },
  },
  {
    id: "TK-JSONRPC-13",
    title: "JSON that is not a message does not end the connection.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-RPC-14", "V2-ENV-07"],
    async run(agent) {
      await agent.ready();
      const [line] = agent.line.text('7\n"text"\nnull\n{"jsonrpc":"2.0","neither":true}\n');
      await agent.expectUsable(line);
    },
  },
  {
    id: "ACP-INFO-INVALIDREQ-001",
    title: "The answer to JSON that is not a message is noted.",
    tier: "informational",
    dialects: everyDialect,
    requirements: ["V1-RPC-14", "V2-ENV-07"],
    async run(agent) {
      await agent.ready();
      agent.line.text('{"foo":"bar"}\n');
      return answerAfter(agent);
    },
  },
  {
    id: "TK-JSONRPC-14",
    title: "An answer that nobody asked for is ignored.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-RPC-10", "V1-RPC-11", "V2-ENV-08"],
    quick: true,
    async run(agent) {
      await agent.ready();
      const from = agent.talk.entries.length;
      const [line] = agent.line.text(
        '{"jsonrpc":"2.0","id":"nobody","result":{}}\n{"jsonrpc":"2.0","id":"nobody","error":7}\n',
      );
      await agent.expectUsable(line);
      const answers = agent.talk.of("agent", from).filter(isAnswer);
      expect(answers.length === 1, "an answer was answered", line, ...answers);
    },
  },
];

function expectOneRefusal(said: readonly Entry[]): void {
  const [refusal] = said;
  expect(said.length === 1, `expected one answer, got ${said.length}`, ...said);
  const fits = errorOf(refusal).code === -32600 && idOf(refusal as Entry) === null;
  expect(fits, `expected the error -32600 with the id null, got ${show(refusal?.frame)}`, refusal);
}
