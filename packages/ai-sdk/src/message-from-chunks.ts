import type { AcpChunk, AcpUIMessage } from "./acp-message.js";

type Part = AcpUIMessage["parts"][number];
type Writable = { [member: string]: unknown };

/**
 * Returns the parts that a chat makes of chunks. The reader of the AI SDK returns the same parts, but only later, and its
 * cost grows with the square of their number.
 */
export function partsOf(chunks: readonly AcpChunk[]): Part[] {
  const parts: Writable[] = [];
  /** Parts that later chunks change, by kind and id. */
  const known = new Map<string, Writable>();
  const part = (key: string, fresh: Writable): Writable => {
    const found = known.get(key) ?? fresh;
    if (found === fresh) parts.push(fresh);
    known.set(key, found);
    return found;
  };
  for (const chunk of chunks) {
    const { type, ...members } = chunk;
    if (type === "file" || type === "source-url") parts.push({ ...chunk });
    else if (isData(chunk)) part(`${type} ${chunk.id}`, { ...chunk }).data = chunk.data;
    else if ("toolCallId" in chunk) {
      const call = part(`tool ${chunk.toolCallId}`, { type: "dynamic-tool", toolCallId: chunk.toolCallId });
      Object.assign(call, toolState(chunk, members));
    } else if ("id" in chunk) {
      const kind = type.split("-")[0] as string;
      const written = part(`${kind} ${chunk.id}`, {
        type: kind,
        ...(kind === "reasoning" && { id: chunk.id }),
        text: "",
      });
      if ("delta" in chunk) written.text += chunk.delta;
      written.state = type.endsWith("-end") ? "done" : "streaming";
    }
  }
  return parts as Part[];
}

function isData(chunk: AcpChunk): chunk is Extract<AcpChunk, { data: unknown }> {
  return "data" in chunk;
}

type ToolChunk = Extract<AcpChunk, { toolCallId: string }>;

function toolState(chunk: ToolChunk, { dynamic: _, ...members }: Writable): Writable {
  if (chunk.type === "tool-approval-request")
    return { state: "approval-requested", approval: { id: chunk.approvalId } };
  if (chunk.type === "tool-output-denied") return { state: "output-denied" };
  const fresh = { output: undefined, errorText: undefined, preliminary: undefined };
  return { ...fresh, ...members, state: chunk.type.replace("tool-", "") };
}
