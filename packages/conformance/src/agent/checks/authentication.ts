import type { AgentCheck } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { errorOf, objectsIn, show, textOf } from "../../entry.js";
import { expect, expectError, skip } from "../../verdict.js";
import type { AgentTrial } from "../agent-trial.js";

/** Checks of login methods. */
export const authenticationChecks: readonly AgentCheck[] = [
  {
    id: "ACP-AUTH-001",
    title: "The ids of the login methods are unique.",
    tier: "advisory",
    dialects: ["v1", "seed"],
    requirements: ["V1-AUTH-01"],
    run: (agent) => expectUniqueMethods(agent, "id"),
  },
  {
    id: "ACP-AUTH-201",
    title: "The ids of the login methods are unique.",
    tier: "advisory",
    dialects: ["v2"],
    requirements: ["V2-AUTH-03"],
    run: (agent) => expectUniqueMethods(agent, "methodId"),
  },
  {
    id: "ACP-AUTH-002",
    title: "A login in a terminal is offered only to a client that has one.",
    tier: "mandatory",
    dialects: ["v1", "seed"],
    requirements: ["V1-AUTH-04"],
    run: expectNoTerminalLogin,
  },
  {
    id: "ACP-AUTH-202",
    title: "A login in a terminal is offered only to a client that has one.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-AUTH-07"],
    run: expectNoTerminalLogin,
  },
  {
    id: "ACP-AUTH-206",
    title: "The type of a login method is agent, terminal, or begins with _.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-AUTH-03", "V2-EXT-01"],
    async run(agent) {
      for (const { type } of objectsIn((await agent.ready("terminalLogin")).authMethods))
        expect(/^(agent|terminal|_.*)$/.test(textOf(type)), `the type is ${show(type)}`);
    },
  },
  {
    id: "ACP-AUTH-207",
    title: "The variables of a login in a terminal have names and values, and no name twice.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-AUTH-03", "V2-AUTH-08"],
    async run(agent) {
      const methods = objectsIn((await agent.ready("terminalLogin")).authMethods).filter(
        ({ type }) => type === "terminal",
      );
      if (methods.length === 0) skip("The agent offers no login in a terminal.");
      for (const { env = [] } of methods) {
        const names = objectsIn(env).map(({ name }) => name);
        expect(Array.isArray(env) && names.length === env.length, `env is ${show(env)}`);
        expect(new Set(names).size === names.length, `a name occurs twice in ${show(names)}`);
      }
    },
  },
  {
    id: "ACP-AUTH-005",
    title: "An agent without login methods opens a session without a login.",
    tier: "advisory",
    dialects: ["v1", "seed"],
    requirements: ["V1-AUTH-09", "V1-AUTH-18"],
    quick: true,
    run: expectNoLogin,
  },
  {
    id: "ACP-AUTH-205",
    title: "An agent without login methods opens a session without a login.",
    tier: "advisory",
    dialects: ["v2"],
    requirements: ["V2-AUTH-01", "V2-AUTH-10"],
    quick: true,
    run: expectNoLogin,
  },
  {
    id: "TK-AUTH-01",
    title: "A login with a method that the agent did not offer is refused.",
    tier: "advisory",
    dialects: everyDialect,
    requirements: ["V1-AUTH-08", "V2-AUTH-05"],
    async run(agent) {
      await agent.ready();
      const method = agent.dialect.name === "v2" ? "auth/login" : "authenticate";
      expectError(await agent.ask(method, { methodId: "turnkit-offered-by-nobody" }));
    },
  },
];

async function expectUniqueMethods(agent: AgentTrial, name: string): Promise<void> {
  const ids = objectsIn((await agent.ready()).authMethods).map((method) => method[name]);
  expect(new Set(ids).size === ids.length, `an id occurs twice in ${show(ids)}`);
}

async function expectNoTerminalLogin(agent: AgentTrial): Promise<void> {
  const method = objectsIn((await agent.ready()).authMethods).find(({ type }) => type === "terminal");
  expect(method === undefined, `the client has no terminal, but the agent offers ${show(method)}`);
}

async function expectNoLogin(agent: AgentTrial): Promise<void> {
  const { authMethods } = await agent.ready();
  if (objectsIn(authMethods).length > 0) skip("The agent offers login methods.");
  const answer = await agent.ask("session/new", agent.dialect.newSession(agent.options.cwd));
  expect(errorOf(answer).code !== -32000, "session/new asks for a login, but the agent offers no login method", answer);
}
