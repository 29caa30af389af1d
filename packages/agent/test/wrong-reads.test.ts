import { expect, test } from "vitest";
import type { ClientFiles, Turn } from "../src/index.js";
import { open } from "./raw-client.js";

/** Calls the client's files. Returns the message of the error, and the methods of the requests that the client got. */
async function failureOf(use: (files: Required<ClientFiles>, turn: Turn) => unknown) {
  let thrown = "";
  const { client, sessionId } = await open(
    {
      async prompt(turn) {
        try {
          await use(turn.files as Required<ClientFiles>, turn);
        } catch (error) {
          thrown = `${(error as Error).name}: ${(error as Error).message}`;
        }
      },
    },
    { validateOutgoing: undefined as never },
  );
  await client.ask(sessionId);
  return { thrown, requests: client.received.filter(({ method, id }) => method !== undefined && id !== undefined) };
}

const read = "TypeError: turn.files.read ";

test.each<[string, (files: Required<ClientFiles>) => unknown, string]>([
  [
    "an object as the path",
    (files) => files.read({ path: "/a" } as never),
    `${read}path got an object of another form: `,
  ],
  ["no path", (files) => files.read(undefined as never), `${read}path got undefined: pass the absolute path as text.`],
  ["a relative path", (files) => files.read("a.ts"), `${read}path got "a.ts": pass the absolute path as text.`],
  ["a line as the range", (files) => files.read("/a", 3 as never), `${read}range got 3: pass { line, limit }`],
  ["a line as text", (files) => files.read("/a", { line: "3" as never }), `${read}range line got "3"`],
  [
    "an object for write",
    (files) => files.write({ path: "/a", content: "" } as never, ""),
    "turn.files.write path got",
  ],
  ["no content", (files) => files.write("/a", undefined as never), "turn.files.write content got undefined"],
  ["bytes", (files) => files.write("/a", new Uint8Array() as never), "turn.files.write content got"],
])("defect N120: %s is refused before the client is asked", async (_name, use, message) => {
  const { thrown, requests } = await failureOf(use);
  expect(thrown).toContain(message);
  expect(requests).toEqual([]);
});
