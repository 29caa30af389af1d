import { type TurnEnd, v1Dialect } from "@turnkit/client";
import { createPermissionBroker } from "@turnkit/client/broker";
import { childEnvironment, createLocalFileHost, isInsideRoots, launchWith } from "@turnkit/client/node";
import { askOnConsole, printable } from "./console-person.js";

export type Run = {
  /** Command of the agent: program and arguments. */
  readonly agent: readonly [string, ...string[]];
  /** Folder that the agent works in. The client serves no file outside of it. */
  readonly cwd: string;
  readonly prompt: string;
  /** Variables of the environment that the agent gets besides the usual ones, such as its key. */
  readonly variables?: readonly string[];
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
};

/**
 * Sends one prompt to an agent and prints its answer. Returns the end of the turn. Throws an error of the agent.
 *
 * - Reading inside the folder is allowed. The person decides everything else.
 * - A file that the agent reads or writes through the client must lie in the folder, links followed.
 */
export async function run({ agent, cwd, prompt, variables = [], input, output }: Run): Promise<TurnEnd> {
  // Version 2 has no files of the client, so this client speaks version 1 only.
  await using client = await launchWith([v1Dialect], agent, {
    info: { name: "jailed-client", version: "1.0.0" },
    env: childEnvironment({ names: variables }),
    files: createLocalFileHost(),
    permissions: createPermissionBroker({
      policy: ({ kind, place }) => (kind === "read" && place === "inside" ? "allow" : undefined),
      isInside: isInsideRoots,
      ask: askOnConsole(input, output),
      audit: (event) => {
        if (event.type === "decided") output.write(`[${event.outcome} by ${event.by}]\n`);
      },
    }),
    onDiagnostic: ({ message }) => output.write(`${printable(message)}\n`),
  });
  const session = await client.newSession({ cwd });
  const turn = session.prompt(prompt);
  for await (const event of turn) {
    if (event.type === "agent_message_chunk" && event.content.type === "text") {
      output.write(printable(event.content.text));
    }
    if (event.type === "tool_call_update" && event.status) {
      output.write(`\n[${event.status}] ${printable(event.title ?? event.toolCallId)}\n`);
    }
  }
  return turn.ended;
}
