import { everyDialect } from "../../dialects/dialects.js";
import type { Frame } from "../../entry.js";
import { skip } from "../../verdict.js";
import type { ClientTrial } from "../client-trial.js";
import {
  checksIn,
  expectPrinted,
  expectUndisturbed,
  finish,
  SESSION,
  type Shown,
  type Stage,
  turnScene,
  type UsualClient,
} from "../scene.js";

/** Pause between the pieces of a message, in milliseconds. */
const PIECE_MS = 10;

const line = (frame: Frame) => `${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`;

/** Returns the line of a text of the agent. */
export function textLine({ messages }: ClientTrial, id: string, text: string): string {
  const update = messages.message(id, text);
  return line({ method: "session/update", params: { sessionId: SESSION, update } });
}

const pieces = turnScene("pieces", async ({ client }) => {
  const text = textLine(client, "conf-pieces", "größe-😀-конец\n");
  const sizes = Array.from({ length: 400 }, () => 1 + client.options.random(4));
  for (const at of [0, 1, 2]) client.line.text(textLine(client, `conf-${at}`, `piece-${at}\n`) + text, sizes);
  // Pauses separate the pieces, because a pipe joins pieces without a pause. One piece ends inside the first character
  // outside of ASCII, and one inside the emoji.
  const first = text.search(/[^\0-\x7f]/) + 1;
  await client.line.slowly(text, [first, 7], Math.min(PIECE_MS, client.options.timeoutMs / 10));
  await client.settle();
});

const joined = turnScene("one write", ({ client }) => {
  client.line.text(Array.from({ length: 200 }, (_, at) => textLine(client, `conf-j${at}`, `joined-${at}.\n`)).join(""));
});

const noise = turnScene("noise", ({ client }) => {
  client.line.text("Loading skills…\n");
  client.line.text('{"jsonrpc":"2.0","method":\n');
  client.text(SESSION, "after-noise");
});

const blank = turnScene("blank lines", ({ client }) => {
  client.line.text("\n\r\n  \n");
  client.line.text(textLine(client, "conf-crlf", "with-crlf\n").replace(/\n$/, "\r\n"));
});

const huge = turnScene("a huge message", ({ client }) => {
  client.text(SESSION, `${"x".repeat(4 * 1024 * 1024)} huge-end`);
});

const deep = turnScene("a deep message", ({ client }) => {
  const value = `${'{"in":'.repeat(400)}1${"}".repeat(400)}`;
  client.say(
    SESSION,
    client.messages.tool(true, { toolCallId: "conf-deep", title: "Deep", rawInput: JSON.parse(value) as unknown }),
  );
  client.text(SESSION, "after-deep");
});

const many = turnScene("many updates", async ({ client }) => {
  for (let at = 0; at < 2000; at += 1) client.text(SESSION, `many-${at}.`);
  await client.settle();
});

const separators = turnScene("separators inside of a text", ({ client }) => {
  client.text(SESSION, "before\u2028after\u2029end\u0085next separators-end");
});

const complaints = turnScene("a flood on stderr", async ({ client }) => {
  const { complain } = client.pipe.agent;
  if (complain === undefined) return skip("This agent has no stderr.");
  complain(512 * 1024);
  await client.settle();
});

const unended = turnScene("a last line without an end", () => {}, {
  dialects: everyDialect,
  async finish(stage: Stage) {
    const { client } = stage;
    const [end] = client.line.text(lastLine(stage));
    await client.line.end(0);
    return end ?? finish(stage);
  },
});

function lastLine({ client, prompt, sessionId }: Stage): string {
  const { id } = prompt.frame as { readonly id: unknown };
  const update = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn", background: [] };
  const frame =
    client.dialect.turnEnd === "answer"
      ? { id, result: { stopReason: "end_turn" } }
      : { method: "session/update", params: { sessionId, update } };
  return line(frame).trimEnd();
}

/** Judges a scene that must not disturb the client. If the client prints texts, it must print those of the scene. */
const undisturbed =
  (...texts: readonly string[]) =>
  (shown: Shown, usual: UsualClient): void => {
    expectUndisturbed(shown, usual);
    if (usual.prints) expectPrinted(shown, usual, ...texts);
  };

/** Checks of lines on the agent's stdout, and of its stderr. */
export const lineChecks = [
  ...checksIn(pieces, {
    id: "TKC-LINE-01",
    title: "Messages that arrive in pieces are put together, even if a piece ends inside of a character.",
    tier: "mandatory",
    requirements: ["V1-STDIO-02", "V1-STDIO-06", "V2-TRA-02"],
    quick: true,
    judge: undisturbed("piece-0", "größe-😀-конец", "piece-2"),
  }),
  ...checksIn(joined, {
    id: "TKC-LINE-02",
    title: "Many messages in one write are all read, in their order.",
    tier: "mandatory",
    requirements: ["V1-STDIO-02", "V1-UPD-02", "V2-TRA-02"],
    quick: true,
    judge: undisturbed("joined-0.", "joined-1.", "joined-100.", "joined-199."),
  }),
  ...checksIn(noise, {
    id: "TKC-LINE-03",
    title: "A line that is not a message does not end the turn.",
    tier: "advisory",
    requirements: ["V1-STDIO-08", "V1-RPC-14"],
    judge: undisturbed("after-noise"),
  }),
  ...checksIn(blank, {
    id: "TKC-LINE-04",
    title: "Blank lines are skipped, and a line may end with CR LF.",
    tier: "advisory",
    requirements: ["V1-STDIO-06"],
    judge: undisturbed("with-crlf"),
  }),
  ...checksIn(huge, {
    id: "TKC-LINE-05",
    title: "A message of 4 MiB is read.",
    tier: "advisory",
    requirements: ["V1-STDIO-07"],
    judge: undisturbed("huge-end"),
  }),
  ...checksIn(deep, {
    id: "TKC-LINE-06",
    title: "A value with 400 levels is read.",
    tier: "advisory",
    requirements: ["V1-TOOL-11", "V2-TOOL-01"],
    judge: undisturbed("after-deep"),
  }),
  ...checksIn(many, {
    id: "TKC-LINE-07",
    title: "2000 updates of one turn are read in their order.",
    tier: "mandatory",
    requirements: ["V1-UPD-02", "V1-RPC-19", "V2-UPD-01"],
    judge: undisturbed("many-0.", "many-999.", "many-1000.", "many-1999."),
  }),
  ...checksIn(separators, {
    id: "TKC-LINE-08",
    title: "Only LF ends a line: other separators belong to the text.",
    tier: "mandatory",
    requirements: ["V1-STDIO-02", "V1-STDIO-06"],
    judge: undisturbed("separators-end"),
  }),
  ...checksIn(complaints, {
    id: "TKC-LINE-09",
    title: "A flood on the agent's stderr does not stop the turn.",
    tier: "mandatory",
    requirements: ["V1-STDIO-05"],
    judge: undisturbed(),
  }),
  ...checksIn(unended, {
    id: "TKC-LINE-10",
    title: "The last line is read even if the agent closes its output without ending the line.",
    tier: "advisory",
    requirements: ["V1-STDIO-06"],
    judge: undisturbed(),
  }),
];
