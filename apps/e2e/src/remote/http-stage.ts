import { createHttpStream, type HttpStreamOptions } from "@agentclientprotocol/sdk/experimental/http-client";
import { type Client, connectWith, type Session, v1Dialect } from "@turnkit/client";
import { createMessageStreamChannel } from "@turnkit/transport/channels";
import { type Script, type ScriptedServer, startScriptedServer } from "./scripted-server.js";

const info = { name: "remote", version: "1.0.0" };

/** Our client over the official SDK's HTTP stream. */
export function openClient(server: ScriptedServer, options: HttpStreamOptions = {}): Promise<Client> {
  return connectWith([v1Dialect], createMessageStreamChannel(createHttpStream(server.url, options)), { info });
}

/** Our client with a session `s-1`, at an agent that answers in its own way. */
export async function stage(script?: Script): Promise<{ server: ScriptedServer; client: Client; session: Session }> {
  const server = await startScriptedServer(script);
  const client = await openClient(server);
  return { server, client, session: await newSession(server, client, "s-1") };
}

/** Opens the `nth` session (from 0). */
export async function newSession(server: ScriptedServer, client: Client, sessionId: string, nth = 0): Promise<Session> {
  const opening = client.newSession({ cwd: "/srv" });
  const { frame } = await server.ask("POST session/new", nth);
  await server.ask("GET stream");
  server.send(undefined, { id: frame.id, result: { sessionId } });
  return opening;
}

/** Returns an update with text of the agent. */
export function chunk(sessionId: string, text: string): object {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId, update } };
}

/** Returns the agent's text as our client shows it. */
export function shown({ state }: Session): string {
  const texts = [...state.timeline].flatMap((entry) =>
    entry.type === "message" && entry.role === "agent" ? [...entry.content] : [],
  );
  return texts.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** Answers requests of one line of the log with an error. */
export const refuse =
  (line: string, status: number, body = ""): Script =>
  ({ verb, about, sessionId, reply }) => {
    if ([verb, about, sessionId].join(" ").trimEnd() !== line) return undefined;
    reply(status, body);
    return true;
  };
