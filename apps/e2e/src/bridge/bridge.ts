import * as v1 from "@turnkit/schema/v1";
import * as v2 from "@turnkit/schema/v2";
import * as acp from "@turnkit/session/codec";
import * as rpc from "@turnkit/transport";

const versions = {
  v1: { version: 1, contract: v1.contract as rpc.Contract, codec: acp.v1Codec as acp.Codec },
  v2: { version: 2, contract: v2.contract as rpc.Contract, codec: acp.v2Codec as acp.Codec },
};
type Side = (typeof versions)["v1"] & { readonly connection: rpc.Connection };
type OfSession = { readonly sessionId: string };

/** Version of the client; the agent speaks the other one. */
export type BridgeOptions = { readonly clientSpeaks: "v1" | "v2"; readonly onLoss?: acp.OnLoss };

/** Lets a client and an agent of different versions talk, until one of them is gone. */
export class Bridge {
  readonly onLoss: acp.OnLoss | undefined;
  /** Capabilities that the client declared. */
  peer: acp.ClientCapabilities | undefined;
  readonly #client: Side;
  readonly #agent: Side;
  readonly #sessions = new Map<string, acp.Translator>();
  readonly #keyed = new Map<string, Promise<object>>();
  #room: rpc.Room;

  constructor(client: rpc.Channel, agent: rpc.Channel, { clientSpeaks, onLoss }: BridgeOptions) {
    this.onLoss = onLoss;
    this.#client = { ...versions[clientSpeaks], connection: rpc.createConnection(client, { invalidLines: "answer" }) };
    this.#agent = { ...versions[clientSpeaks === "v1" ? "v2" : "v1"], connection: rpc.createConnection(agent) };
    const lane = this.#agent.connection.openLane();
    this.#join(this.#client, this.#agent, {
      ...acp.wireCalls(this.#client.codec, { from: "client", handle: (call, info) => this.#command(call, info) }, this),
      "session/cancel": ({ sessionId }: OfSession) => {
        this.#agent.connection.notify("session/cancel", { sessionId });
        this.#session(sessionId).cancel();
      },
    });
    this.#join(this.#agent, this.#client, {
      ...acp.wireCalls(this.#agent.codec, { from: "agent", handle: (call, info) => this.#question(call, info) }, this),
      "elicitation/complete": (params: object) => this.#client.connection.notify("elicitation/complete", params),
      "session/update": ({ sessionId, update }: OfSession & { readonly update: unknown }, info: rpc.InboundCall) => {
        this.#session(sessionId).update(update);
        lane.notify(info.bytes, () => this.#room);
      },
    });
  }

  /** Serves what one side calls; what is no part of the protocol goes to the other side as it is. */
  #join(from: Side, to: Side, handlers: rpc.Handlers): void {
    const routes = rpc.createRoutes(from.contract, from === this.#client ? "agent" : "client", handlers);
    const receive = (params: object, { message: { id, method }, signal }: rpc.InboundCall) =>
      id === undefined ? to.connection.notify(method, params) : to.connection.request(method, params, { signal });
    from.connection.route = (method) => routes(method) ?? (method.startsWith("_") ? { receive } : undefined);
    void from.connection.closed.then(() => to.connection.close());
  }

  async #command(call: acp.NamedCall, info: rpc.InboundCall): Promise<object> {
    if (call.name === "initialize") return this.#initialize(call);
    if (call.name === "prompt") return this.#once(call, () => this.#prompt(call, info.signal));
    const { mcpServers = [] } = call.params as Partial<acp.NamedCall<"newSession">["params"]>;
    const passes = mcpServers.every(({ type }) => type === "stdio" || type === "http");
    if (!passes) throw rpc.RpcError.invalidParams("only MCP servers over stdio and HTTP pass");
    let session = "sessionId" in call.params ? this.#session(call.params.sessionId) : undefined;
    if (call.name === "loadSession" || (call.name === "resumeSession" && call.params.replayFrom)) this.#forget(session);
    const asked = session === undefined ? call : session.callFor(call);
    if (asked === undefined) throw rpc.RpcError.invalidParams("the agent replays from the start");
    let answer: object = {};
    const received = (result: object) => {
      if (asked.name === "newSession") session = this.#session((result as OfSession).sessionId);
      answer = session?.answered(asked, result) ?? result;
      if (call.name === "closeSession" || call.name === "deleteSession") {
        this.#forget(session);
        this.#sessions.delete(call.params.sessionId);
      }
      // What the agent says from here on has to come behind this answer.
      info.afterResponse(this.#agent.connection.hold());
      info.afterResponse(() => session?.answerSent());
    };
    await this.#ask(this.#agent, asked, { signal: info.signal, received });
    return answer;
  }

  async #initialize({ name, params }: acp.NamedCall<"initialize">): Promise<object> {
    const { files, terminals } = params.capabilities;
    if (files.read || files.write || terminals) throw rpc.RpcError.invalidParams("files and terminals do not pass");
    this.peer = params.capabilities;
    const hello = { name, params: { ...params, protocolVersion: this.#agent.version, plain: true } };
    return { ...(await this.#ask(this.#agent, hello)), protocolVersion: this.#client.version };
  }

  /** Answers further attempts with the key of a prompt like the first one. The latest 1 000 keys count. */
  #once({ params }: acp.NamedCall<"prompt">, ask: () => Promise<object>): Promise<object> {
    const key = params.idempotencyKey && JSON.stringify([params.sessionId, params.idempotencyKey]);
    if (!key) return ask();
    const answer = this.#keyed.get(key) ?? ask();
    this.#keyed.set(key, answer);
    answer.catch(() => this.#keyed.delete(key));
    if (this.#keyed.size > 1_000) this.#keyed.delete([...this.#keyed.keys()][0] as string);
    return answer;
  }

  async #prompt({ name, params }: acp.NamedCall<"prompt">, signal: AbortSignal): Promise<object> {
    const ask: acp.AskAgent = (received) => this.#ask(this.#agent, { name, params }, { signal, received });
    const { error, ...answer } = await this.#session(params.sessionId).prompt(params.prompt, ask, () => signal.aborted);
    if (error) throw new rpc.RpcError(error.code, error.message, error.data);
    return answer;
  }

  async #question(call: acp.NamedCall, info: rpc.InboundCall): Promise<object> {
    const { sessionId } = ("scope" in call.params ? call.params.scope : call.params) as Partial<OfSession>;
    const withdrawal = new AbortController();
    const answered = sessionId && this.#session(sessionId).asked(call, () => withdrawal.abort());
    const signal = AbortSignal.any([info.signal, withdrawal.signal]);
    return this.#ask(this.#client, call, { signal }).finally(answered || undefined);
  }

  async #ask(to: Side, call: acp.NamedCall, options: rpc.RequestOptions<object> = {}): Promise<object> {
    const request = acp.wireRequest(to.codec, call, this.onLoss);
    if (request === undefined) throw rpc.RpcError.invalidParams(`version ${to.version} has no ${call.name}`);
    const { method, params, read } = request;
    const result = to.contract[method]?.result as rpc.RequestOptions<object>["result"];
    const received = (answer: object) => options.received?.(read(answer));
    return read(await to.connection.request(method, params, { ...options, result, received }));
  }

  /** Forgets the child sessions of a session, which are announced again by its replay. */
  #forget(session: acp.Translator | undefined): void {
    for (const { sessionId } of session?.state.subagents ?? []) {
      const child = this.#sessions.get(sessionId);
      // Deleted first, because a hostile agent may announce a session as its own child.
      if (child !== undefined && this.#sessions.delete(sessionId)) this.#forget(child);
    }
  }

  #session(sessionId: string): acp.Translator {
    const { peer, onLoss } = this;
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    if (peer === undefined) throw rpc.RpcError.invalidRequest("initialize comes first");
    const send = (update: object) => {
      this.#room = this.#client.connection.notify("session/update", { sessionId, update });
    };
    const session = acp.createTranslator({ from: this.#agent.codec, to: this.#client.codec, peer, onLoss, send });
    this.#sessions.set(sessionId, session);
    return session;
  }
}
