import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, objectsIn, paramsOf, show } from "../../entry.js";
import { expect, fail } from "../../verdict.js";
import type { ClientExit } from "../client-pipe.js";
import type { ClientTrial } from "../client-trial.js";
import { checksIn, expectEnded, finish, openSession, openTurn, type Scene, SESSION, startTurn } from "../scene.js";

const otherVersion: Scene<{
  client: ClientTrial;
  answer: Entry;
  open: Entry | undefined;
  exit: ClientExit | undefined;
}> = {
  name: "an unknown version",
  dialects: everyDialect,
  async play(client) {
    const hello = await client.comes("initialize");
    const answer = client.reply(hello, { ...client.messages.hello(), protocolVersion: 60_000 });
    const open = await client.mayCome("session/new", "session/prompt");
    return { client, answer, open, exit: await client.exit() };
  },
};

const patient: Scene<{
  client: ClientTrial;
  steps: readonly Entry[];
  exit: ClientExit | undefined;
  gone: Entry | undefined;
}> = {
  name: "a slow agent",
  dialects: everyDialect,
  async play(client) {
    const hello = await client.comes("initialize");
    await client.silence(700);
    client.reply(hello, client.messages.hello());
    const open = await client.comes("session/new");
    await client.silence(700);
    client.reply(open, { sessionId: SESSION, ...client.messages.opened() });
    const prompt = await client.comes("session/prompt");
    const stage = { client, sessionId: SESSION, prompt };
    startTurn(stage);
    await client.silence(700);
    const gone = client.isRunning && !client.talk.ended ? undefined : prompt;
    const end = finish(stage);
    return { client, steps: [hello, open, prompt, end], exit: await client.exit(), gone };
  },
};

const noAbilities: Scene<{ client: ClientTrial; prompt: Entry }> = {
  name: "an agent without abilities",
  dialects: everyDialect,
  async play(client) {
    const hello = ({ ...all }) => {
      delete all.agentCapabilities;
      if (client.dialect.name !== "v1") all.capabilities = { session: {} };
      return all;
    };
    const stage = await openTurn(client, { hello });
    finish(stage);
    await client.exit();
    return { client, prompt: stage.prompt };
  },
};

const loginNeeded: Scene<{
  client: ClientTrial;
  answer: Entry;
  prompt: Entry | undefined;
  exit: ClientExit | undefined;
}> = {
  name: "a login that is needed",
  dialects: everyDialect,
  async play(client) {
    let answer: Entry | undefined;
    await openSession(client, {
      open: (_client, request) => {
        answer = client.refuse(request, -32000, "Authentication required");
      },
    });
    const exit = await client.exit();
    const prompt = client.talk.of("client").find(({ method }) => method === "session/prompt");
    return { client, answer: answer as Entry, prompt, exit };
  },
};

/** Checks of agents that are slow, need a login, speak another version, or offer little. */
export const specialOpeningChecks = [
  ...checksIn(otherVersion, {
    id: "TKC-INIT-09",
    title: "A client that does not know the agent's version ends, and opens no session.",
    tier: "advisory",
    requirements: ["V1-INIT-06", "V1-INIT-07", "V2-INIT-06"],
    quick: true,
    judge({ answer, open, exit }, usual) {
      if (open) fail("the client went on with an unknown version", answer, open);
      expectEnded(exit, usual, answer);
    },
  }),
  ...checksIn(patient, {
    id: "TKC-SLOW-01",
    title: "A client waits for a slow agent.",
    tier: "mandatory",
    requirements: ["V1-PROMPT-02", "V2-PRM-07"],
    judge({ client, steps, exit, gone }, usual) {
      if (gone) fail("the client ended during the turn", gone);
      const prompts = client.talk.of("client").filter(({ method }) => method === "session/prompt");
      expect(prompts.length === 1, "the client sent the prompt again", ...prompts);
      expectEnded(exit, usual, ...steps);
    },
  }),
  ...checksIn(
    noAbilities,
    {
      id: "TKC-PROMPT-03",
      title: "A prompt has only blocks that the agent takes.",
      tier: "mandatory",
      requirements: ["V1-PROMPT-03", "V1-CONT-02", "V1-CONT-03", "V1-CONT-05", "V2-CON-03"],
      judge({ prompt }) {
        const wrong = objectsIn(paramsOf(prompt).prompt).find(
          ({ type }) => type !== "text" && type !== "resource_link",
        );
        expect(wrong === undefined, `a block is ${show(wrong?.type)}`, prompt);
      },
    },
    {
      id: "TKC-CAP-01",
      title: "Methods that the agent does not offer are not called.",
      tier: "mandatory",
      requirements: ["V1-INIT-10", "V1-SESS-19", "V1-SESS-26", "V1-SESS-28", "V1-SESS-34", "V1-SESS-39", "V1-AUTH-15"],
      judge({ client }) {
        const always = ["initialize", "session/new", "session/prompt", "session/set_mode", "session/set_config_option"];
        if (client.dialect.name === "v2") always.push("session/list", "session/resume", "session/close");
        const call = client.talk
          .of("client")
          .find(({ kind, method = "" }) => kind === "request" && !always.includes(method) && !method.startsWith("_"));
        if (call) fail("the agent does not offer this method", call);
      },
    },
    {
      id: "TKC-CAP-02",
      title: "Folders besides cwd are named only to an agent that takes them.",
      tier: "mandatory",
      requirements: ["V1-SESS-07", "V2-SES-06"],
      judge({ client }) {
        const [open] = client.talk.of("client").filter(({ method }) => method === "session/new");
        const { additionalDirectories } = paramsOf(open);
        const isEmpty = additionalDirectories == null || (additionalDirectories as readonly unknown[]).length === 0;
        expect(isEmpty, "the agent does not take additionalDirectories", open);
      },
    },
    {
      id: "TKC-CAP-03",
      title: "MCP servers over HTTP are named only to an agent that takes them.",
      tier: "mandatory",
      dialects: ["v1"],
      requirements: ["V1-SESS-16"],
      judge({ client }) {
        const [open] = client.talk.of("client").filter(({ method }) => method === "session/new");
        const remote = objectsIn(paramsOf(open).mcpServers).find(({ type }) => type === "http" || type === "sse");
        expect(remote === undefined, "the agent does not take this server", open);
      },
    },
  ),
  ...checksIn(loginNeeded, {
    id: "TKC-AUTH-01",
    title: "A client whose session needs a login ends or logs in, and sends no prompt.",
    tier: "mandatory",
    requirements: ["V1-AUTH-09", "V1-AUTH-10", "V2-AUTH-04"],
    judge({ answer, prompt, exit }, usual) {
      if (prompt) fail("there is no session", answer, prompt);
      expectEnded(exit, usual, answer);
    },
  }),
];
