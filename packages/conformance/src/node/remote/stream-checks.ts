import { show } from "../../entry.js";
import { expect } from "../../verdict.js";
import type { RawReply, RawServer } from "./raw-server.js";
import { expectStatus, type TransportCheck, transportCheck } from "./transport-check.js";

type Message = { readonly id?: unknown; readonly method?: string; readonly params?: { readonly sessionId?: string } };

/** Opens a connection, its stream, a session and its stream. */
async function opened(server: RawServer) {
  await server.initialize();
  const main = await server.events();
  const sessionId = await server.session(main);
  const own = await server.events(sessionId);
  return { main, own, sessionId };
}

const PROMPT_ID = 500;

/** Sends a prompt. Returns all messages of the session's stream up to its answer. */
async function prompted(server: RawServer, own: RawReply, sessionId: string): Promise<readonly Message[]> {
  await say(server, sessionId);
  return untilAnswer(own);
}

function say(server: RawServer, sessionId: string): Promise<RawReply> {
  const params = { sessionId, prompt: [{ type: "text", text: "Say hello in one short sentence." }] };
  return server.post(server.frame("session/prompt", params, PROMPT_ID), server.ids(sessionId));
}

async function untilAnswer(own: RawReply): Promise<readonly Message[]> {
  const all: Message[] = [];
  for (
    let message = (await own.next()) as Message | undefined;
    message;
    message = (await own.next()) as Message | undefined
  ) {
    all.push(message);
    if (message.id === PROMPT_ID && message.method === undefined) break;
  }
  return all;
}

/** Checks of event streams: which message is sent where. */
export const streamChecks: readonly TransportCheck[] = [
  transportCheck(
    ["TKR-STREAM-01", "REM-13", "session/new is answered on the stream of the connection."],
    async (server) => {
      await server.initialize();
      await server.session(await server.events());
    },
  ),
  transportCheck(["TKR-STREAM-02", "REM-11", "The stream of a session is opened with 200."], async (server) => {
    const { own } = await opened(server);
    expectStatus(own, 200);
  }),
  transportCheck(["TKR-STREAM-03", "REM-13", "Updates of a session are sent on its stream."], async (server) => {
    const { own, sessionId } = await opened(server);
    const all = await prompted(server, own, sessionId);
    expect(
      all.some(({ method }) => method === "session/update"),
      `there were ${show(all)}`,
      own.entry,
    );
  }),
  transportCheck(["TKR-STREAM-04", "REM-13", "A prompt is answered on the stream of its session."], async (server) => {
    const { own, sessionId } = await opened(server);
    const all = await prompted(server, own, sessionId);
    expect(all.at(-1)?.id === PROMPT_ID, "no answer came", own.entry);
  }),
  transportCheck(
    ["TKR-STREAM-05", "REM-13", "Each message of a session's stream belongs to this session."],
    async (server) => {
      const { own, sessionId } = await opened(server);
      const all = await prompted(server, own, sessionId);
      const other = all.find(({ method, params }) => method !== undefined && params?.sessionId !== sessionId);
      expect(other === undefined, `another message came: ${show(other)}`, own.entry);
    },
  ),
  transportCheck(["TKR-STREAM-06", "REM-14", "Messages wait for a reader of their stream."], async (server) => {
    await server.initialize();
    const sessionId = await server.session(await server.events());
    await say(server, sessionId);
    const own = await server.events(sessionId);
    const all = await untilAnswer(own);
    expect(all.at(-1)?.id === PROMPT_ID, "they were lost", own.entry);
  }),
  transportCheck(["TKR-STREAM-07", "REM-44", "A connection goes on if its stream is cut."], async (server) => {
    await server.initialize();
    const stream = await server.events();
    stream.cut();
    expectStatus(await server.post(server.frame("session/new", server.options.newSession), server.ids()), 202);
  }),
  transportCheck(["TKR-STREAM-08", "REM-16", "DELETE ends the streams of a connection."], async (server) => {
    await server.initialize();
    const stream = await server.events();
    await server.send("DELETE", server.ids());
    expect(await stream.hasEnded(), "the stream is still open", stream.entry);
  }),
];
