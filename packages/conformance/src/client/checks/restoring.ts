import type { DialectName } from "../../dialects/dialect.js";
import { everyDialect } from "../../dialects/dialects.js";
import { type Entry, paramsOf, show } from "../../entry.js";
import { expect, fail, skip } from "../../verdict.js";
import type { ClientExit } from "../client-pipe.js";
import type { ClientTrial } from "../client-trial.js";
import { checksIn, expectEnded, finish, openSession, type Scene, startTurn } from "../scene.js";

const OLD = "conf-old";

type Restored = {
  readonly client: ClientTrial;
  readonly call: Entry;
  readonly early: Entry | undefined;
  readonly answer: Entry;
  readonly prompt: Entry | undefined;
  readonly exit: ClientExit | undefined;
};

type How = { readonly marker: boolean; readonly refused?: true; readonly dialects?: readonly DialectName[] };

/** Restores a session with its history, and plays the scene to the end of the next turn. */
const restoring = (name: string, { marker, refused, dialects = everyDialect }: How): Scene<Restored> => ({
  ...{ name, dialects, task: { session: OLD } },
  async play(client) {
    const { messages, dialect } = client;
    await openSession(client, { task: { session: OLD } });
    const call = await client.comes("session/load", "session/resume");
    const replays = call.method === "session/load" || paramsOf(call).replayFrom != null;
    if (replays) {
      client.say(OLD, {
        sessionUpdate: "user_message_chunk",
        messageId: "conf-old-1",
        content: { type: "text", text: "old question" },
      });
      client.say(OLD, messages.message("conf-old-2", "old-answer\n"));
      client.say(OLD, messages.tool(true, { toolCallId: "conf-old-call", title: "Old", status: "completed" }));
      if (marker && dialect.name === "v2") client.say(OLD, { sessionUpdate: "replay_complete" });
    }
    if (dialect.name === "v2") client.say(OLD, { sessionUpdate: "state_update", state: "idle", background: [] });
    await client.settle();
    const early = client.talk
      .of("client")
      .find(({ kind, method }) => kind === "request" && method === "session/prompt");
    if (refused) {
      const answer = client.refuse(call, -32002, "Resource not found");
      const exit = await client.exit();
      const prompt = client.talk.of("client").find(({ method }) => method === "session/prompt");
      return { client, call, early, answer, prompt, exit };
    }
    const answer = client.reply(call, messages.opened());
    const prompt = await client.mayCome("session/prompt");
    if (prompt === undefined) return { client, call, early, answer, prompt, exit: undefined };
    const stage = { client, sessionId: OLD, prompt };
    startTurn(stage);
    client.text(OLD, "new-answer");
    finish(stage);
    return { client, call, early, answer, prompt, exit: await client.exit() };
  },
});

const restored = restoring("an earlier session", { marker: true });
const unmarked = restoring("a replay without a marker", { marker: false, dialects: ["v2"] });
const refused = restoring("an earlier session that is gone", { marker: false, refused: true });

const notOffered: Scene<{ client: ClientTrial; call: Entry | undefined; exit: ClientExit | undefined }> = {
  name: "an agent without session/load",
  dialects: ["v1", "seed"],
  task: { session: OLD },
  async play(client) {
    const hello = await client.comes("initialize");
    const { agentCapabilities: _, ...result } = client.messages.hello();
    const capabilities = { session: {} };
    client.reply(hello, client.dialect.name === "v1" ? result : { ...result, capabilities });
    const exit = await client.exit();
    const call = client.talk.of("client").find(({ method = "" }) => /^session\/(load|resume)$/.test(method));
    return { client, call, exit };
  },
};

/** Checks of a restored session. */
export const restoringChecks = [
  ...checksIn(
    restored,
    {
      id: "TKC-RESTORE-01",
      title: "A session is brought back with its id, and with an absolute path as cwd.",
      tier: "mandatory",
      requirements: ["V1-SESS-19", "V1-SESS-06", "V2-SES-08"],
      judge({ call }) {
        const { sessionId, cwd } = paramsOf(call);
        expect(sessionId === OLD, `sessionId is ${show(sessionId)}`, call);
        expect(typeof cwd === "string" && /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(cwd), `cwd is ${show(cwd)}`, call);
      },
    },
    {
      id: "TKC-RESTORE-02",
      title: "No prompt is sent before the session is back.",
      tier: "mandatory",
      requirements: ["V1-PROMPT-01", "V1-SESS-20", "V2-SES-09"],
      judge({ call, early }) {
        if (early) fail("the session was not back yet", call, early);
      },
    },
    {
      id: "TKC-RESTORE-03",
      title: "After a replay, the prompt goes to the session that was brought back.",
      tier: "mandatory",
      requirements: ["V1-SESS-21", "V1-PROMPT-12", "V2-SES-09", "P-REPLAY-09"],
      judge({ call, answer, prompt }) {
        expect(prompt !== undefined, "no prompt came", call, answer);
        const { sessionId } = paramsOf(prompt);
        expect(sessionId === OLD, `sessionId is ${show(sessionId)}`, prompt);
      },
    },
    {
      id: "TKC-RESTORE-04",
      title: "A client ends after the turn of a session that was brought back.",
      tier: "mandatory",
      requirements: ["V1-SESS-21", "V1-UPD-02", "P-REPLAY-14"],
      judge({ exit, prompt }, usual) {
        if (prompt === undefined) skip("The client sent no session/prompt.");
        expectEnded(exit, usual, prompt);
      },
    },
    {
      id: "TKC-RESTORE-05",
      title: "Texts of a replay are not shown as a new answer.",
      tier: "advisory",
      requirements: ["P-REPLAY-16", "V1-SESS-20"],
      judge({ client, call }, usual) {
        if (!usual.prints || !client.printed.includes("new-answer")) skip("The client prints no texts of the agent.");
        const at = client.printed.indexOf("old-answer");
        expect(at < 0 || at < client.printed.indexOf("new-answer"), "the old text came after the new one", call);
      },
    },
  ),
  ...checksIn(unmarked, {
    id: "TKC-RESTORE-06",
    title: "A replay whose answer comes without a marker is complete, and the client goes on.",
    tier: "advisory",
    requirements: ["P-REPLAY-08"],
    judge({ call, prompt, exit }, usual) {
      expect(prompt !== undefined, "no prompt came", call);
      expectEnded(exit, usual, prompt);
    },
  }),
  ...checksIn(refused, {
    id: "TKC-RESTORE-07",
    title: "A session that cannot be brought back gets no prompt, and the client ends.",
    tier: "mandatory",
    requirements: ["V1-SESS-24", "P-REPLAY-07", "V2-SES-09"],
    judge({ answer, prompt, exit }, usual) {
      if (prompt && paramsOf(prompt).sessionId === OLD) fail("the session is not active", answer, prompt);
      expectEnded(exit, usual, answer);
    },
  }),
  ...checksIn(notOffered, {
    id: "TKC-RESTORE-08",
    title: "session/load and session/resume are sent only to an agent that offers them.",
    tier: "mandatory",
    requirements: ["V1-SESS-19", "V1-SESS-26", "V1-INIT-10"],
    judge({ call }) {
      if (call) fail("the agent does not offer this method", call);
    },
  }),
];
