import { everyDialect } from "../../dialects/dialects.js";
import type { Entry } from "../../entry.js";
import { settlesWithin } from "../../patience.js";
import { expect, fail, skip } from "../../verdict.js";
import type { ClientExit } from "../client-pipe.js";
import type { ClientTrial } from "../client-trial.js";
import {
  checksIn,
  expectEnded,
  finish,
  openSession,
  openTurn,
  type Scene,
  SESSION,
  startTurn,
  type UsualClient,
} from "../scene.js";

type Ended = {
  readonly client: ClientTrial;
  /** Last message of the runner. */
  readonly last: Entry | undefined;
  readonly exit: ClientExit | undefined;
};

const scene = (name: string, work: (client: ClientTrial) => Promise<Entry | undefined>): Scene<Ended> => ({
  ...{ name, dialects: everyDialect },
  async play(client) {
    const last = await work(client);
    return { client, last, exit: await client.exit() };
  },
});

const deadAtStart = scene("an agent that dies at its start", async (client) => {
  const hello = await client.comes("initialize");
  client.pipe.agent.exit(3);
  return hello;
});

const deadInTurn = scene("an agent that dies in a turn", async (client) => {
  const { prompt } = await openTurn(client);
  client.text(SESSION, "before-death");
  await client.settle();
  client.pipe.agent.exit(3);
  return prompt;
});

const mute = scene("an agent that closes its output", async (client) => {
  const { prompt } = await openTurn(client);
  await client.settle();
  client.isStubborn = true;
  client.pipe.agent.closeOutput();
  return prompt;
});

const noHello = scene("initialize fails", async (client) =>
  client.refuse(await client.comes("initialize"), -32603, "Out of flour"),
);

const noSession = scene("session/new fails", async (client) => {
  let answer: Entry | undefined;
  await openSession(client, {
    open: (_client, request) => {
      answer = client.refuse(request, -32603, "Out of flour");
    },
  });
  return answer;
});

const failedTurn = scene("a prompt fails", async (client) => {
  await openSession(client);
  return client.refuse(await client.comes("session/prompt"), -32603, "Out of flour");
});

const oddCode = scene("a prompt fails with an unknown code", async (client) => {
  await openSession(client);
  return client.refuse(await client.comes("session/prompt"), 418, "I am a teapot");
});

const stubborn: Scene<Ended & { readonly isGone: boolean; readonly isClosed: boolean }> = {
  name: "an agent that does not end",
  dialects: everyDialect,
  async play(client) {
    client.isStubborn = true;
    await openSession(client);
    const prompt = await client.comes("session/prompt");
    const stage = { client, sessionId: SESSION, prompt };
    startTurn(stage);
    const last = finish(stage);
    const isClosed = await settlesWithin(client.line.ended, client.options.timeoutMs);
    const exit = await client.exit();
    const isGone = await settlesWithin(client.pipe.agent.gone, Math.min(5_000, client.options.timeoutMs));
    return { client, last, exit, isGone, isClosed };
  },
};

function expectFailed({ exit, last }: Ended, usual: UsualClient): void {
  expectEnded(exit, usual, last);
  if (exit === undefined) skip("The client never ends by itself.");
  expect(exit.code !== 0, "the client ended with the exit code 0", last);
  if (usual.code !== 0) skip("The client always ends with another exit code than 0.");
}

/** Checks with agents that die or fail, and checks that no process of an agent remains. */
export const endChecks = [
  ...checksIn(deadAtStart, {
    id: "TKC-END-03",
    title: "A client whose agent dies at its start ends with an exit code other than 0.",
    tier: "mandatory",
    requirements: ["V1-STDIO-10", "V1-RPC-20", "V2-TRA-06"],
    quick: true,
    judge: expectFailed,
  }),
  ...checksIn(deadInTurn, {
    id: "TKC-END-04",
    title: "A client whose agent dies during a turn ends with an exit code other than 0.",
    tier: "mandatory",
    requirements: ["V1-STDIO-10", "V1-RPC-20", "V2-TRA-06"],
    quick: true,
    judge: expectFailed,
  }),
  ...checksIn(mute, {
    id: "TKC-END-05",
    title: "A client whose agent closes its output during a turn ends.",
    tier: "mandatory",
    requirements: ["V1-RPC-20", "V1-STDIO-10", "V2-TRA-06"],
    judge: ({ exit, last }, usual) => expectEnded(exit, usual, last),
  }),
  ...checksIn(noHello, {
    id: "TKC-END-06",
    title: "A client whose initialize fails ends, and opens no session.",
    tier: "mandatory",
    requirements: ["V1-INIT-01", "V1-ERR-02", "V2-INIT-06"],
    judge({ client, last, exit }, usual) {
      const open = client.talk.of("client").find(({ method }) => method === "session/new");
      if (open) fail("initialize had failed", last, open);
      expectEnded(exit, usual, last);
    },
  }),
  ...checksIn(noSession, {
    id: "TKC-END-07",
    title: "A client whose session cannot be opened ends, and sends no prompt.",
    tier: "mandatory",
    requirements: ["V1-PROMPT-01", "V1-ERR-02", "V2-PRM-02"],
    judge({ client, last, exit }, usual) {
      const prompt = client.talk.of("client").find(({ method }) => method === "session/prompt");
      if (prompt) fail("there is no session", last, prompt);
      expectEnded(exit, usual, last);
    },
  }),
  ...checksIn(failedTurn, {
    id: "TKC-END-08",
    title: "A client whose prompt fails ends with an exit code other than 0.",
    tier: "mandatory",
    requirements: ["V1-PROMPT-11", "V1-ERR-02", "V2-PRM-05"],
    quick: true,
    judge: expectFailed,
  }),
  ...checksIn(oddCode, {
    id: "TKC-END-09",
    title: "An error with an unknown code ends the turn like any other error.",
    tier: "mandatory",
    requirements: ["V1-ERR-02", "V2-ERR-01"],
    judge: expectFailed,
  }),
  ...checksIn(
    stubborn,
    {
      id: "TKC-END-10",
      title: "At its end, a client closes the agent's stdin.",
      tier: "advisory",
      requirements: ["V1-STDIO-09"],
      judge({ isClosed, exit, last }) {
        if (exit === undefined) skip("The client did not end.");
        expect(isClosed, "the agent's stdin is still open", last);
      },
    },
    {
      id: "TKC-END-11",
      title: "An agent that does not end by itself does not outlive its client.",
      tier: "mandatory",
      requirements: ["V1-STDIO-09"],
      quick: true,
      judge({ isGone, exit, last }) {
        if (exit === undefined) skip("The client did not end.");
        expect(isGone, "the agent still runs", last);
      },
    },
  ),
];
