import { readFileSync } from "node:fs";

/** A message of a section of the Preview's examples. `call` is the request that a response answers. */
export type PreviewFrame = {
  readonly section: string;
  readonly from: "client" | "agent";
  readonly message: Readonly<Record<string, any>>;
  readonly version: 1 | 2;
  readonly call: Readonly<Record<string, any>> | undefined;
};

/** The examples that the tests of the schemas read too. */
export function readPreviewFrames(): readonly PreviewFrame[] {
  const file = new URL("../../../../packages/schema/test/preview-frames.jsonl", import.meta.url);
  const asked = new Map<string, Readonly<Record<string, any>>>();
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const { section, from, message } = JSON.parse(line) as Omit<PreviewFrame, "version" | "call">;
      const key = (side: string) => `${section} ${side} ${message.id}`;
      if (message.method !== undefined && message.id !== undefined) asked.set(key(from), message);
      const call = message.method === undefined ? asked.get(key(from === "client" ? "agent" : "client")) : undefined;
      return { section, from, message, call, version: section === "4.2" || section.endsWith("v1") ? 1 : 2 };
    });
}

/** Kind of a frame for people: `session/update plan_removed`. */
export function kindOf({ message, call }: PreviewFrame): string {
  if (call !== undefined) return `answer to ${call.method}`;
  return [message.method, message.params?.update?.sessionUpdate].filter(Boolean).join(" ");
}
