import type { ToolCall } from "@turnkit/agent";
import { messageOf } from "../errors.js";
import type { ToolOutput } from "../model.js";

// Apart from the built-in tools: a program that starts does not load zod.
/**
 * Runs a tool and ends its call: as completed, as cancelled after an abort, otherwise as failed.
 *
 * @throws the error of the tool; after an abort the signal's reason
 */
export async function runCall(
  call: ToolCall,
  signal: AbortSignal,
  run: () => Promise<ToolOutput>,
): Promise<ToolOutput> {
  try {
    const output = await run();
    await call.finish();
    return output;
  } catch (error) {
    if (signal.aborted) await call.update({ status: "cancelled" });
    else await call.fail(messageOf(error));
    throw signal.aborted ? signal.reason : error;
  }
}
