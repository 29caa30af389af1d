import { toMessageStream } from "@turnkit/transport/channels";
import { describe, expect, it } from "vitest";
import { agentScripts } from "../order/agent-scripts.js";
import { clientScripts } from "../order/client-scripts.js";
import type { AgentParty, ClientParty } from "../order/party.js";
import { connectClient, createOrderAgent } from "../order/turnkit.js";
import { joinLines } from "./lines.js";
import { type RemoteTransport, remoteTransports, resumableTransports } from "./transports.js";

/** Our client at the near end; the script is the agent. */
const clientOver = (transport: RemoteTransport): ClientParty => ({
  name: "turnkit",
  connect: async (wire, onUpdate) =>
    connectClient(await transport((channel) => ({ closed: joinLines(wire, toMessageStream(channel)) })), onUpdate),
});

/** Our agent at the far end; the script is the client. */
const agentOver = (transport: RemoteTransport): AgentParty => ({
  name: "turnkit",
  serve: (wire, prompt, setMode) =>
    void transport((channel) => createOrderAgent(prompt, setMode).serve(channel)).then((channel) =>
      joinLines(wire, toMessageStream(channel)),
    ),
});

const messageScripts = clientScripts.filter(({ bytes }) => !bytes).map((script) => [script.name, script] as const);

describe.each(Object.entries({ ...remoteTransports, ...resumableTransports }))("order, over %s", (_, transport) => {
  it.each(messageScripts)("V2-REM-14, V1-STDIO-11: the client: %s", async (_, script) => {
    await expect(script.run(clientOver(transport))).resolves.toBeUndefined();
  });

  it.each(agentScripts.map((script) => [script.name, script] as const))(
    "V2-REM-14, V1-STDIO-11: the agent: %s",
    async (_, script) => {
      await expect(script.run(agentOver(transport))).resolves.toBeUndefined();
    },
  );
});
