import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Frame } from "@turnkit/testing";
import { FramedSocket } from "../remote/framed-socket.js";
import { type Ask, type Script, ScriptedServer } from "../remote/scripted-server.js";
import { type ClientSettings, ClientSide, type OpenClient } from "./client-peer.js";
import { hello } from "./hello.js";
import { type Source, within } from "./row.js";

/** A server of bare requests and frames, and the client that is observed. */
export class ClientStand {
  readonly server: ScriptedServer;
  /** WebSockets that the client has opened, with the messages of each. */
  readonly sockets: { readonly socket: FramedSocket; readonly frames: Frame[] }[] = [];
  #port = 0;
  /** Messages that all WebSockets have received. */
  #received = 0;
  #client: ClientSide | undefined;
  readonly #http = createServer();
  readonly #pipes = new Set<Socket>();
  readonly #open: OpenClient;
  readonly #settings: ClientSettings;
  readonly #patience: number;

  constructor(open: OpenClient, { script, settings = {} }: ClientRow, patience: number) {
    this.#patience = patience;
    this.#open = open;
    this.#settings = settings;
    this.server = new ScriptedServer(script ?? (() => undefined));
    this.#http.on("request", (request, response) => void this.server.handle(request, response).catch(() => {}));
    this.#http.on("connection", (pipe: Socket) => {
      pipe.on("error", () => {});
      this.#pipes.add(pipe);
    });
    this.#http.on("upgrade", (request: IncomingMessage, pipe: Duplex, head: Buffer) => {
      const socket = FramedSocket.accept(request, pipe, head, ["Acp-Connection-Id: c-1"]);
      const frames: Frame[] = [];
      this.sockets.push({ socket, frames });
      socket.addEventListener("message", (event) => {
        const frame: Frame = JSON.parse(String((event as Event & { data: unknown }).data) || "{}");
        frames.push(frame);
        if (frame.method !== "stream/resume") this.#received += 1;
        if (frame.method === "initialize") socket.send(JSON.stringify(helloAnswer(frame.id)));
        if (frame.method === "stream/resume")
          socket.send(
            JSON.stringify({ jsonrpc: "2.0", id: frame.id, result: { streams: [], received: this.#received } }),
          );
      });
    });
  }

  /** Waits for a condition that should hold. Returns whether it holds. */
  soon(condition: () => boolean): Promise<boolean> {
    return within(this.#patience, condition);
  }

  async start(): Promise<void> {
    this.#http.listen(0, "127.0.0.1");
    await once(this.#http, "listening");
    this.#port = (this.#http.address() as AddressInfo).port;
  }

  /** Opens a client, and initializes it. */
  async connect(scheme: "http" | "ws" = "http"): Promise<ClientSide> {
    const client = new ClientSide(await this.#open(`${scheme}://127.0.0.1:${this.#port}/acp`, this.#settings));
    this.#client = client;
    client.send(hello());
    await this.soon(() => client.frames.length > 0 || client.end !== undefined);
    return client;
  }

  /** Opens a client with a prompt under way, and the stream of its session. */
  async prompting(): Promise<ClientSide> {
    const client = await this.connect();
    client.send(prompt(1));
    await this.asked("POST session/prompt s-1");
    return client;
  }

  /** Waits until a request was made `count` times. */
  asked(line: string, count = 1): Promise<boolean> {
    return this.soon(() => this.times(line) >= count);
  }

  times(line: string): number {
    return this.server.log.filter((entry) => entry === line).length;
  }

  last(line: string): Ask | undefined {
    return this.server.asked.filter((_, at) => this.server.log[at] === line).at(-1);
  }

  async stop(): Promise<void> {
    void this.#client?.close();
    for (const pipe of this.#pipes) pipe.destroy();
    this.#http.close();
  }
}

/** One observation from outside a client. */
export type ClientRow = {
  readonly id: string;
  readonly source: Source;
  readonly what: string;
  readonly expected: string;
  readonly settings?: ClientSettings;
  /** Answers of the server that differ from the usual ones. */
  readonly script?: Script;
  readonly observe: (stand: ClientStand) => Promise<string>;
};

/** A prompt of the session `s-1`. */
export const prompt = (id: number): Frame => ({
  id,
  method: "session/prompt",
  params: { sessionId: "s-1", prompt: [{ type: "text", text: "go" }] },
});

/** The answer of `initialize`, with the offer of resumption. */
const helloAnswer = (id: unknown): Frame => ({
  jsonrpc: "2.0",
  id,
  result: {
    protocolVersion: 1,
    agentCapabilities: { loadSession: true },
    authMethods: [],
    _meta: { "acp/connectionId": "c-1" },
    capabilities: { transport: { resumable: { retentionMessages: 100, retentionSeconds: 60 } } },
  },
});

/** Script of a server that offers resumption. The answer of `initialize` has these headers too. */
export const offeringWith =
  (headers: Readonly<Record<string, string>>): Script =>
  ({ about, frame, reply }) => {
    if (about !== "initialize") return undefined;
    reply(200, JSON.stringify(helloAnswer(frame.id)), { "Acp-Connection-Id": "c-1", ...headers });
    return true;
  };

export const offering = offeringWith({});

/** A piece of an answer in the session `s-1`. */
export const chunk = (text: string): Frame => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s-1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
});

/** Answers requests of one line of the log with a status. */
export const refusing =
  (line: string, status: number, body = ""): Script =>
  ({ verb, about, sessionId, reply }) => {
    if ([verb, about, sessionId].join(" ").trimEnd() !== line) return undefined;
    reply(status, body);
    return true;
  };
