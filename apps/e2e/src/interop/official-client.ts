import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import { onTestFinished } from "vitest";
import { turnkitAgent } from "./programs.js";

type Answer = acp.RequestPermissionResponse;

/** Decisions of a test about the client. */
export type OfficialClientOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** Answers permission questions; grants them once unless said otherwise. */
  readonly answer?: (question: acp.RequestPermissionRequest, signal: AbortSignal) => Answer | Promise<Answer>;
  /** Texts of open files by their paths, which are not saved. */
  readonly unsaved?: Map<string, string>;
};

/** A client that was written with the official SDK, and the turnkit-agent that it has launched and initialized. */
export type OfficialClient = {
  readonly agent: acp.ClientContext;
  readonly initialized: acp.InitializeResponse;
  /** Updates as the SDK handed them on, in that order. */
  readonly updates: acp.SessionNotification[];
  /** Everything that came from the agent, in the order of the wire. */
  readonly frames: acp.AnyMessage[];
  /** File operations of the agent: `read /path`, `write /path`. */
  readonly files: string[];
  readonly questions: acp.RequestPermissionRequest[];
  /** Ends the agent's stdin; tells its exit code and what it wrote to stderr. */
  end(): Promise<{ readonly code: number | null; readonly stderr: string }>;
};

/** Starts turnkit-agent and a client that offers it files, as the SDK's documentation says. */
export async function launchOfficialClient(options: OfficialClientOptions = {}): Promise<OfficialClient> {
  const { env = {}, answer = choose("allow_once"), unsaved = new Map<string, string>() } = options;
  const updates: acp.SessionNotification[] = [];
  const files: string[] = [];
  const questions: acp.RequestPermissionRequest[] = [];

  const [program, ...args] = turnkitAgent;
  const child = spawn(program, args, { env: { ...process.env, ...env } });
  const closed = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });

  const app = acp
    .client({ name: "official-client" })
    .onNotification(acp.methods.client.session.update, ({ params }) => void updates.push(params))
    .onRequest(acp.methods.client.session.requestPermission, ({ params, signal }) => {
      questions.push(params);
      return answer(params, signal);
    })
    .onRequest(acp.methods.client.fs.readTextFile, async ({ params }) => {
      files.push(`read ${params.path}`);
      return { content: unsaved.get(params.path) ?? (await readFile(params.path, "utf8")) };
    })
    .onRequest(acp.methods.client.fs.writeTextFile, async ({ params }) => {
      files.push(`write ${params.path}`);
      if (unsaved.has(params.path)) unsaved.set(params.path, params.content);
      else await writeFile(params.path, params.content);
    });
  const { stream, frames } = tap(
    acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>),
  );
  const { agent } = app.connect(stream);
  const initialized = await agent.request(acp.methods.agent.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientInfo: { name: "official-client", version: "1.0.0" },
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } },
  });
  return {
    ...{ agent, initialized, updates, frames, files, questions },
    async end() {
      child.stdin.end();
      const [code] = await closed;
      return { code, stderr };
    },
  };
}

/** Answers every question with the option of this kind. */
export function choose(kind: acp.PermissionOptionKind): (question: acp.RequestPermissionRequest) => Answer {
  return ({ options }) => {
    const option = options.find((offered) => offered.kind === kind);
    return { outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" } };
  };
}

/** A stream that keeps what it reads: the SDK alone would not show what came before what. */
function tap({ readable, writable }: acp.Stream): { stream: acp.Stream; frames: acp.AnyMessage[] } {
  const frames: acp.AnyMessage[] = [];
  const keep = new TransformStream<acp.AnyMessage, acp.AnyMessage>({
    transform(frame, controller) {
      frames.push(frame);
      controller.enqueue(frame);
    },
  });
  return { stream: { readable: readable.pipeThrough(keep), writable }, frames };
}
