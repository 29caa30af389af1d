import { createConnection } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { spread } from "../cells.js";

const REQUESTS = 20_000;

/** Schema that accepts every value. */
const anything = {
  "~standard": { version: 1, vendor: "bench", validate: (value: unknown) => ({ value: value as object }) },
} as const;

/**
 * Measures the cost of a connection without sessions for one request, from the call to the answer. The cost is the CPU
 * time of both sides in µs.
 */
export async function connectionCost(): Promise<number> {
  const [here, there] = createMemoryPair();
  createConnection(there, { route: () => ({ params: anything, receive: async () => ({ stopReason: "end_turn" }) }) });
  const connection = createConnection(here);
  const params = { sessionId: "session", prompt: [{ type: "text", text: "{}" }] };
  const costs: number[] = [];
  for (let round = 0; round < 15; round++) {
    const before = process.cpuUsage();
    for (let request = 0; request < REQUESTS; request++) {
      await connection.request("session/prompt", params, { result: anything });
    }
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / REQUESTS);
  }
  await connection.close();
  // The first runs contain the compilation by V8.
  return spread(costs.slice(5)).median;
}
