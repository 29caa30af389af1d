import { allDialects } from "@turnkit/agent";
import { createGateway, type Principal } from "@turnkit/gateway";
import { listen } from "@turnkit/remote/node";
import { createRemoteServer, hasToken } from "@turnkit/remote/server";
import type { Frame } from "@turnkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { RawWebSocket } from "../remote/raw-web-socket.js";
import { type Cell, type Outcome, ruleOf } from "./authority-table.js";
import { cannedAgent, type Heard, HOLD } from "./canned-agent.js";

const dialects = ["v1", "v2", "seed"] as const;

/** Principals by their tokens. The last one has the name of the group as its id. */
const people: readonly Principal[] = [
  { id: "ann", group: "team" },
  { id: "bob", group: "team" },
  { id: "mallory", group: "rivals" },
  { id: "team" },
];

const roles = ["controller", "observer"] as const;

/** Owners of the sessions. For each person, some are its own, some of its group, and some of strangers. */
const owners = ["ann", "mallory"] as const;

const states = ["attached", "restored", "live", "stored", "unknown"] as const;

const hellos = {
  v1: { protocolVersion: 1, clientCapabilities: {} },
  v2: { protocolVersion: 2, info: { name: "raw", version: "1" }, capabilities: {} },
  seed: { protocolVersion: 2, clientInfo: { name: "raw", version: "1" }, capabilities: {} },
};

/** Every method that a client of a dialect can send. */
function methodsOf(name: Cell["dialect"]): readonly string[] {
  const contract = allDialects.find(({ dialect }) => dialect === name)?.contract ?? {};
  return Object.entries(contract).flatMap(([method, { from }]) => (from === "agent" ? [] : [method]));
}

/** A client that is nothing but frames of a WebSocket, and that has answered `initialize`. */
class Frames {
  readonly #socket: RawWebSocket;
  #nextId = 0;

  private constructor(socket: RawWebSocket) {
    this.#socket = socket;
  }

  static async open(url: string, token: string, dialect: Cell["dialect"]): Promise<Frames> {
    const frames = new Frames(await RawWebSocket.open(url, { authorization: `Bearer ${token}` }));
    await frames.request("initialize", hellos[dialect]);
    return frames;
  }

  request(method: string, params: object): Promise<Frame> {
    const id = `r${++this.#nextId}`;
    this.#socket.send({ id, method, params });
    return this.#socket.answer(id);
  }

  notify(method: string, params: object): void {
    this.#socket.send({ method, params });
  }
}

const cwd = "/work";

function paramsOf({ dialect, method }: Cell, sessionId: string): object {
  if (method === "initialize") return hellos[dialect];
  return {
    ...{ sessionId, cwd, mcpServers: [], methodId: "login", requestId: "none" },
    ...{ prompt: [{ type: "text", text: "go" }], configId: "mode", value: "b", modeId: "b", modelId: "b" },
    ...(dialect === "v2" && { type: "id" }),
    ...{ toolCallId: "call", terminalId: "terminal" },
  };
}

/** Gateway behind an address, in front of agents that note what they hear. */
async function serving() {
  const heard: Heard = [];
  const gateway = createGateway({ agent: () => cannedAgent(heard) });
  const known = people.flatMap((person) => roles.map((role) => ({ ...person, role })));
  const server = createRemoteServer({
    authorize: (request) => known.find(({ id, role }) => hasToken(request, `token-of-${id}-as-${role}`)),
    open: (principal) => gateway.open(principal),
  });
  const port = await listen(server, { port: 0 });
  onTestFinished(async () => {
    await port.close();
    await gateway.close();
  });
  const url = port.url.replace(/^http/, "ws");
  const open = (id: string, role: string, dialect: Cell["dialect"] = "v2") =>
    Frames.open(url, `token-of-${id}-as-${role}`, dialect);
  return { heard, open };
}

/** Makes the session of a cell, sends its message, and tells what came of it. */
async function outcomeOf(
  cell: Cell,
  { owner, actor, heard }: { owner: Frames; actor: Frames; heard: Heard },
): Promise<Outcome> {
  const sessionId = (await owner.request("session/new", { cwd, mcpServers: [] })).result.sessionId;
  if (cell.method === "session/cancel") {
    await owner.request("session/prompt", { sessionId, prompt: [{ type: "text", text: HOLD }] });
  }
  if (cell.session === "stored" || cell.session === "restored") await owner.request("session/close", { sessionId });
  if (cell.session === "attached" || cell.session === "restored") {
    await actor.request("session/resume", { sessionId, cwd, mcpServers: [] });
  }
  const before = heard.length;
  const { answer, opened } = await send(cell, actor, cell.session === "unknown" ? "session-none" : sessionId);
  // What a notification does is done before the answer to a later request.
  await actor.request("session/list", {});
  await owner.request("session/list", {});
  const reached = heard.slice(before).map((text) => text.split(" ")[0] ?? "");
  const said = reached.filter((method) => method !== "session/resume").join(" ");
  if (opened !== undefined) await actor.request("session/delete", { sessionId: opened });
  await owner.request("session/delete", { sessionId });
  return { answer, ...(said !== "" && { heard: said }) };
}

/** Sends the message of a cell. `opened` is the session that it has opened. */
async function send(cell: Cell, actor: Frames, sessionId: string): Promise<{ answer: string; opened?: string }> {
  const params = paramsOf(cell, sessionId);
  if (ruleOf(cell).answer === "none") {
    actor.notify(cell.method, params);
    return { answer: "none" };
  }
  const { result, error } = await actor.request(cell.method, params);
  if (error !== undefined)
    return { answer: [error.code, ...(error.data?.reason ? [error.data.reason] : [])].join(" ") };
  if (cell.method === "session/new") return { answer: "ok", opened: result.sessionId };
  if (cell.method !== "session/list") return { answer: "ok" };
  const ids = (result.sessions as readonly Frame[]).map((session) => session.sessionId);
  return { answer: ids.includes(sessionId) ? "ok, listed" : "ok" };
}

describe.each(dialects)("SHARE-08 SHARE-10 SHARE-12 who may do what (client of %s)", (dialect) => {
  const cases = people.flatMap((person) => roles.map((role) => [person, role] as const));

  it.each(cases)(
    "%j as %s",
    async (person, role) => {
      const { heard, open } = await serving();
      const wrong: string[] = [];
      let count = 0;
      for (const ownerId of owners) {
        const isMember = people.find(({ id }) => id === ownerId)?.group === person.group;
        const owner = await open(ownerId, "controller");
        const actor = await open(person.id, role, dialect);
        for (const session of states) {
          for (const method of methodsOf(dialect)) {
            const cell: Cell = { dialect, method, isObserver: role === "observer", isMember, session };
            const expected = ruleOf(cell);
            const found = await outcomeOf(cell, { owner, actor, heard });
            count += 1;
            const [is, should] = [found, expected].map((one) => JSON.stringify(one));
            if (is !== should) wrong.push(`${method} of a session of ${ownerId} (${session}): ${is} and not ${should}`);
          }
        }
      }
      expect({ count, wrong }).toEqual({ count: owners.length * states.length * methodsOf(dialect).length, wrong: [] });
    },
    120_000,
  );
});
