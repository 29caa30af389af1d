import { describe, expect, it } from "vitest";
import type { Calls } from "../call.js";
import {
  seedAgentCodec,
  seedClientCodec,
  seedCodec,
  v1AgentCodec,
  v1ClientCodec,
  v1Codec,
  v2AgentCodec,
  v2ClientCodec,
  v2Codec,
} from "./index.js";

const ofAgents = ["askPermission", "elicit", "completeElicitation"] as const;
const ofClients = [
  ...(["initialize", "login", "logout", "newSession", "loadSession", "resumeSession", "listSessions"] as const),
  ...(["closeSession", "deleteSession", "setConfigOption", "setMode", "setModel", "prompt"] as const),
  ...(["cancelToolCall", "cancelTerminal"] as const),
];

describe.each([
  ["v1", v1ClientCodec, v1AgentCodec, v1Codec],
  ["v2", v2ClientCodec, v2AgentCodec, v2Codec],
  ["seed", seedClientCodec, seedAgentCodec, seedCodec],
])("the codecs of both sides of %s", (_, client, agent, both) => {
  it.each<keyof Calls>(ofClients)("%s: clients make it, agents answer it, and both halves are the whole", (name) => {
    expect({ ...client.ask[name], ...agent.answer[name] }).toEqual({ ...both.call[name] });
    expect(agent.ask[name]).toBeUndefined();
    expect(client.answer[name]).toBeUndefined();
  });

  it.each<keyof Calls>(ofAgents)("%s: agents make it, clients answer it, and both halves are the whole", (name) => {
    expect({ ...agent.ask[name], ...client.answer[name] }).toEqual({ ...both.call[name] });
    expect(client.ask[name]).toBeUndefined();
    expect(agent.answer[name]).toBeUndefined();
  });

  it("read and write updates as the whole does", () => {
    expect(client.decode).toBe(both.decode);
    expect(agent.createEncoder).toBe(both.createEncoder);
    expect(agent.turns).toBe(both.turns);
  });
});
