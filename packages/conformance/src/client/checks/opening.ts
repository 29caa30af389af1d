import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, frameOf, isObject, membersOf, objectsIn, paramsOf, show } from "../../entry.js";
import { expect, fail, skip } from "../../verdict.js";
import type { ClientExit } from "../client-pipe.js";
import type { ClientTrial } from "../client-trial.js";
import { checksIn, finish, type Scene, SESSION, startTurn, type UsualClient } from "../scene.js";

type Plain = {
  readonly client: ClientTrial;
  readonly hello?: Entry;
  /** Requests that arrived before the answer to `initialize`. */
  readonly early?: readonly Entry[];
  readonly open?: Entry;
  readonly prompt?: Entry;
  readonly end?: Entry;
  readonly exit?: ClientExit | undefined;
  readonly usual: UsualClient;
};

const HELLO = "conformance-hello";

/** Ordinary turn. Each step may be missing, because the checks of this scene judge the steps. */
export const plain: Scene<Plain> = {
  name: "plain",
  dialects: everyDialect,
  async play(client) {
    const { messages } = client;
    const usual = (exit?: ClientExit): UsualClient => ({
      ends: exit !== undefined,
      code: exit?.code ?? 0,
      prints: client.printed.includes(HELLO),
    });
    const hello = await client.mayCome("initialize");
    if (hello === undefined) return { client, usual: usual() };
    // A client may leave requests of the agent unanswered until initialize is done.
    await client.silence(150);
    const early = client.talk.of("client").filter(({ kind, index }) => kind === "request" && index !== hello.index);
    client.reply(hello, messages.hello());
    const open = await client.mayCome("session/new");
    if (open === undefined) return { client, hello, early, usual: usual() };
    client.reply(open, { sessionId: SESSION, ...messages.opened() });
    const prompt = await client.mayCome("session/prompt");
    if (prompt === undefined) return { client, hello, early, open, usual: usual() };
    const stage = { client, sessionId: SESSION, prompt };
    startTurn(stage);
    client.text(SESSION, HELLO);
    const end = finish(stage);
    const exit = await client.exit();
    return { client, hello, early, open, prompt, end, exit, usual: usual(exit) };
  },
};

const wanted = (entry: Entry | undefined, what: string): Entry => entry ?? skip(`The client sent no ${what}.`);

/** Checks of an ordinary turn: `initialize`, `session/new`, and the prompt. */
export const openingChecks = checksIn(
  plain,
  {
    id: "TKC-INIT-01",
    title: "The first message of a client is the request initialize.",
    tier: "mandatory",
    requirements: ["V1-INIT-01", "V2-INIT-01"],
    quick: true,
    judge({ client, hello }) {
      const [first] = client.talk.of("client");
      expect(hello !== undefined, "no initialize came", first);
      expect(first === hello, "something else came first", first, hello);
    },
  },
  {
    id: "TKC-INIT-02",
    title: "Nothing else is sent before initialize is answered.",
    tier: "mandatory",
    requirements: ["V1-INIT-01", "V2-INIT-01"],
    quick: true,
    judge({ hello, early = [] }) {
      const [first] = early;
      if (first) fail("initialize was not answered yet", wanted(hello, "initialize"), first);
    },
  },
  {
    id: "TKC-INIT-03",
    title: "protocolVersion is an integer from 1 to 65535.",
    tier: "mandatory",
    requirements: ["V1-INIT-04", "V2-INIT-01"],
    quick: true,
    judge({ hello }) {
      const { protocolVersion: version } = paramsOf(wanted(hello, "initialize"));
      const fits = Number.isInteger(version) && Number(version) >= 1 && Number(version) <= 65_535;
      expect(fits, `protocolVersion is ${show(version)}`, hello);
    },
  },
  {
    id: "TKC-INIT-04",
    title: "A client names itself and its version.",
    tier: "advisory",
    dialects: ["v1", "seed"],
    requirements: ["V1-INIT-12"],
    judge: ({ hello }) => expectInfo(wanted(hello, "initialize"), "clientInfo"),
  },
  {
    id: "TKC-INIT-05",
    title: "A client names itself and its version.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-INIT-01", "V2-INIT-03"],
    judge: ({ hello }) => expectInfo(wanted(hello, "initialize"), "info"),
  },
  {
    id: "TKC-INIT-06",
    title: "Capabilities of files and terminals are true or false.",
    tier: "mandatory",
    dialects: ["v1"],
    requirements: ["V1-INIT-03", "V1-INIT-09"],
    judge({ hello }) {
      const { fs, terminal } = membersOf(paramsOf(wanted(hello, "initialize")).clientCapabilities);
      const { readTextFile, writeTextFile } = membersOf(fs);
      for (const value of [readTextFile, writeTextFile, terminal])
        expect(value === undefined || typeof value === "boolean", `a capability is ${show(value)}`, hello);
    },
  },
  {
    id: "TKC-INIT-07",
    title: "Every capability is an object, null or absent, and never true or false.",
    tier: "mandatory",
    dialects: ["v2", "seed"],
    requirements: ["V2-INIT-12", "V2-INIT-15"],
    judge({ hello }) {
      const { capabilities } = paramsOf(wanted(hello, "initialize"));
      for (const [name, value] of Object.entries(membersOf(capabilities)))
        expect(name === "_meta" || value === null || isObject(value), `${name} is ${show(value)}`, hello);
    },
  },
  {
    id: "TKC-INIT-08",
    title: "initialize is sent once on a connection.",
    tier: "mandatory",
    requirements: ["V1-INIT-16", "V2-INIT-01"],
    judge({ client }) {
      const [, second] = client.talk
        .of("client")
        .filter(({ kind, method }) => kind === "request" && method === "initialize");
      if (second) fail("initialize came again", second);
    },
  },
  {
    id: "TKC-SESS-01",
    title: "session/new has an absolute path as cwd.",
    tier: "mandatory",
    requirements: ["V1-SESS-06", "V1-RPC-23", "V2-SES-02"],
    quick: true,
    judge({ open }) {
      const { cwd } = paramsOf(wanted(open, "session/new"));
      expect(typeof cwd === "string" && /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(cwd), `cwd is ${show(cwd)}`, open);
    },
  },
  {
    id: "TKC-SESS-02",
    title: "session/new has the list mcpServers, even if it is empty.",
    tier: "mandatory",
    dialects: ["v1", "seed"],
    requirements: ["V1-SESS-01", "V1-SESS-14"],
    judge({ open }) {
      const { mcpServers } = paramsOf(wanted(open, "session/new"));
      expect(Array.isArray(mcpServers), `mcpServers is ${show(mcpServers)}`, open);
    },
  },
  {
    id: "TKC-PROMPT-01",
    title: "A prompt goes to the session that the agent has opened, with its id unchanged.",
    tier: "mandatory",
    requirements: ["V1-PROMPT-01", "V1-PROMPT-02", "V2-PRM-02"],
    quick: true,
    judge({ prompt }) {
      const { sessionId } = paramsOf(wanted(prompt, "session/prompt"));
      expect(sessionId === SESSION, `sessionId is ${show(sessionId)}`, prompt);
    },
  },
  {
    id: "TKC-PROMPT-02",
    title: "A prompt has at least one block.",
    tier: "advisory",
    requirements: ["V1-PROMPT-15", "V2-PRM-02"],
    judge({ prompt }) {
      const blocks = objectsIn(paramsOf(wanted(prompt, "session/prompt")).prompt);
      expect(blocks.length > 0, "the prompt is empty", prompt);
    },
  },
  {
    id: "TKC-END-01",
    title: "A client with one prompt ends when its turn has ended.",
    tier: "mandatory",
    requirements: ["V1-PROMPT-07", "V2-PRM-16"],
    quick: true,
    judge({ open, prompt, end, exit }) {
      expect(open !== undefined, "no session/new came");
      expect(prompt !== undefined, "no session/prompt came", open);
      expect(exit !== undefined, "the client did not end after the turn", end);
    },
  },
  {
    id: "TKC-END-02",
    title: "A client sends no further prompt after its turn.",
    tier: "mandatory",
    requirements: ["V1-PROMPT-14"],
    judge({ client, prompt }) {
      const [, second] = client.talk.of("client").filter(({ method }) => method === "session/prompt");
      if (second) fail("a second prompt came", wanted(prompt, "session/prompt"), second);
    },
  },
);

function expectInfo(hello: Entry, member: "info" | "clientInfo"): void {
  const { name, version } = membersOf(paramsOf(hello)[member]);
  const fits = typeof name === "string" && typeof version === "string" && name !== "";
  expect(fits, `${member} is ${show(membersOf(frameOf(hello).params)[member])}`, hello);
}
