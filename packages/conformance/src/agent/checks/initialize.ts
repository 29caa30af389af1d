import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { errorOf, isObject, membersOf, resultOf, show } from "../../entry.js";
import { expect, expectError, expectResult, skip } from "../../verdict.js";
import type { AgentTrial } from "../agent-trial.js";

/** Checks of `initialize` and of the announced capabilities. */
export const initializeChecks: readonly AgentCheck[] = [
  {
    id: "ACP-INIT-001",
    title: "initialize succeeds, and its result names a version.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-INIT-08", "V2-INIT-02"],
    quick: true,
    async run(agent) {
      const { protocolVersion } = await agent.hello();
      expect(Number.isInteger(protocolVersion), `protocolVersion is ${show(protocolVersion)}`);
    },
  },
  {
    id: "ACP-INIT-002",
    title: "Asked for version 1, the agent answers 1.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-INIT-05"],
    quick: true,
    run: expectVersion,
  },
  {
    id: "ACP-INIT-201",
    title: "Asked for version 2, the agent answers 2.",
    tier: "mandatory",
    dialects: ["v2", "seed"],
    requirements: ["V2-INIT-04", "V2-SEED-24"],
    quick: true,
    run: expectVersion,
  },
  {
    id: "ACP-INIT-003",
    title: "Asked for a version that does not exist yet, the agent answers with one of its own.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-INIT-05", "V1-INIT-15", "V2-INIT-04"],
    quick: true,
    async run(agent) {
      const { dialect } = agent;
      // A client of a later version sends the members of every version.
      const params = { ...dialect.hello([]), info: { name: "future", version: "1.0.0" }, protocolVersion: 65535 };
      const answer = await agent.ask("initialize", params, "deliberate");
      expectResult(answer);
      const { protocolVersion } = resultOf(answer);
      const fits =
        Number.isInteger(protocolVersion) && protocolVersion !== 65535 && Number(protocolVersion) >= dialect.version;
      expect(fits, `protocolVersion is ${show(protocolVersion)}`, answer.request, answer);
    },
  },
  {
    id: "TK-INIT-01",
    title: "Asked for version 1, an agent answers 1 or refuses with the error -32022 and its versions.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-INIT-04", "V2-INIT-05"],
    async run(agent) {
      const params = { protocolVersion: 1, clientInfo: { name: "older", version: "1.0.0" }, clientCapabilities: {} };
      const answer = await agent.ask("initialize", params, "deliberate");
      if (answer.kind === "result") {
        const { protocolVersion } = resultOf(answer);
        expect(protocolVersion === 1, `protocolVersion is ${show(protocolVersion)}`, answer.request, answer);
        return;
      }
      expectError(answer, -32022);
      const { requested, supported } = membersOf(errorOf(answer).data);
      expect(
        requested === 1 && Array.isArray(supported),
        `expected the data {"requested":1,"supported":[…]} in the error, got ${show(errorOf(answer).data)}`,
        ...[answer.request, answer],
      );
    },
  },
  {
    id: "ACP-INIT-004",
    title: "The result names the agent and its version.",
    tier: "advisory",
    dialects: ["v1", "seed"],
    requirements: ["V1-INIT-12"],
    quick: true,
    run: async (agent) => expectInfo((await agent.ready()).agentInfo),
  },
  {
    id: "ACP-INIT-203",
    title: "The result names the agent and its version.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-INIT-02", "V2-INIT-03"],
    quick: true,
    run: async (agent) => expectInfo((await agent.ready()).info),
  },
  {
    id: "ACP-INIT-204",
    title: "Every capability is an object, null or absent, and never true or false.",
    tier: "mandatory",
    dialects: ["v2", "seed"],
    requirements: ["V2-INIT-12", "V2-INIT-15"],
    async run(agent) {
      const { capabilities } = await agent.ready();
      const wrong = leavesOf(capabilities, "capabilities").find(({ value }) => value !== null);
      expect(wrong === undefined, `${wrong?.path} is ${show(wrong?.value)}`);
    },
  },
  {
    id: "TK-INIT-02",
    title: "Capabilities of prompts and MCP are true or false, and those of sessions are objects.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-INIT-08", "V1-INIT-09"],
    async run(agent) {
      const { promptCapabilities, mcpCapabilities, sessionCapabilities, loadSession } = membersOf(
        (await agent.ready()).agentCapabilities,
      );
      const flags = { ...membersOf(promptCapabilities), ...membersOf(mcpCapabilities), loadSession };
      for (const [name, value] of Object.entries(flags)) {
        const fits = name === "_meta" || value === undefined || typeof value === "boolean";
        expect(fits, `${name} is ${show(value)}, not true or false`);
      }
      for (const [name, value] of Object.entries(membersOf(sessionCapabilities)))
        expect(value === null || isObject(value), `${name} is ${show(value)}, not an object`);
    },
  },
  {
    id: "TK-INIT-03",
    title: "Before initialize, a request is answered with the error -32600.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-INIT-02", "V2-INIT-09"],
    async run(agent) {
      expectError(await agent.ask("session/new", agent.dialect.newSession(agent.options.cwd)), -32600);
    },
  },
  {
    id: "TK-INIT-04",
    title: "Before initialize, a notification is ignored.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-INIT-02", "V2-INIT-09"],
    async run(agent) {
      const cancel = agent.cancel("nobody");
      const answer = await agent.ask("initialize", agent.dialect.hello([]));
      expect(answer.kind === "result", "initialize failed after a notification", cancel, answer);
      const said = agent.talk.of("agent").filter(({ index }) => index < answer.index);
      expect(said.length === 0, "the notification was answered", cancel, ...said);
    },
  },
  {
    id: "TK-INIT-05",
    title: "Members of initialize that the agent does not know are ignored.",
    tier: "mandatory",
    dialects: everyDialect,
    requirements: ["V1-LEN-08", "V1-INIT-15", "V2-DEC-08"],
    async run(agent) {
      const params = { ...agent.dialect.hello([]), turnkitUnknown: { list: [1, 2] } };
      expectResult(await agent.ask("initialize", params, "deliberate"));
    },
  },
  {
    id: "TK-INIT-06",
    title: "A version that is a text is answered with the error -32602.",
    tier: "mandatory",
    dialects: ["v1", "v2"],
    requirements: ["V1-INIT-04", "V2-INIT-01"],
    async run(agent) {
      const params = { ...agent.dialect.hello([]), protocolVersion: "1.0.0" };
      expectError(await agent.ask("initialize", params, "deliberate"), -32602);
    },
  },
  {
    id: "TK-INIT-07",
    title: "initialize needs no member but the version.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-INIT-03", "V1-INIT-11"],
    async run(agent) {
      expectResult(await agent.ask("initialize", { protocolVersion: 1 }));
    },
  },
  {
    id: "TK-INIT-08",
    title: "Malformed capabilities of the client are read as absent.",
    tier: "advisory",
    dialects: ["v1", "v2"],
    requirements: ["V1-LEN-01", "V1-INIT-09", "V2-DEC-01"],
    async run(agent) {
      const name = agent.dialect.version === 1 ? "clientCapabilities" : "capabilities";
      expectResult(await agent.ask("initialize", { ...agent.dialect.hello([]), [name]: "all" }, "deliberate"));
    },
  },
  {
    id: "TK-INIT-09",
    title: "initialize may be repeated before the first other request.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-INIT-08"],
    async run(agent) {
      await agent.ready();
      const answer = await agent.ask("initialize", agent.dialect.hello([]));
      expectResult(answer);
    },
  },
  {
    id: "ACP-EXT-202",
    title: "The agent announces extensions in _meta, and adds no capability of its own beside.",
    tier: "advisory",
    dialects: ["v1", "v2"],
    requirements: ["V1-INIT-17", "V1-EXT-02", "V2-INIT-17", "V2-EXT-01"],
    async run(agent) {
      const known = agent.dialect.version === 1 ? capabilitiesOfV1 : capabilitiesOfV2;
      const names = Object.keys(membersOf(agent.dialect.capabilitiesOf(await agent.ready())));
      const unknown = names.find((name) => name !== "_meta" && !known.has(name));
      expect(unknown === undefined, `${unknown} is not a capability of the protocol`);
    },
  },
];

async function expectVersion(agent: AgentTrial): Promise<void> {
  const answer = await agent.ask("initialize", agent.dialect.hello([]));
  if (answer.kind !== "result") skip("initialize failed.");
  const { protocolVersion } = resultOf(answer);
  expect(
    protocolVersion === agent.dialect.version,
    `protocolVersion is ${show(protocolVersion)}`,
    answer.request,
    answer,
  );
}

function expectInfo(info: unknown): void {
  const { name, version } = membersOf(info);
  const fits = typeof name === "string" && name !== "" && typeof version === "string" && version !== "";
  expect(fits, `the agent names itself ${show(info)}`);
}

const capabilitiesOfV1 = new Set([
  "loadSession",
  "promptCapabilities",
  "mcpCapabilities",
  "sessionCapabilities",
  "auth",
  "providers",
]);
const capabilitiesOfV2 = new Set(["session", "auth", "providers"]);

/** Returns the values other than objects in a tree of objects. `_meta` is left out. */
function leavesOf(value: unknown, path: string): readonly { readonly path: string; readonly value: unknown }[] {
  if (!isObject(value)) return value === undefined ? [] : [{ path, value }];
  return Object.entries(value).flatMap(([name, part]) => (name === "_meta" ? [] : leavesOf(part, `${path}.${name}`)));
}
