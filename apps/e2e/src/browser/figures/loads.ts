import { setImmediate as othersWork, setTimeout as pass } from "node:timers/promises";
import { type Agent, createAgent } from "@turnkit/agent";

const info = { name: "agent", version: "1.0.0" };

/** Last text of each load. */
export const END = "This is the end of the work.";

const PARAGRAPH =
  "The parser reads **one block** at a time, and `lex()` returns its tokens. A list follows:\n\n- first, the lines\n- then [their links](https://example.com)\n\n";
const CODE = "```ts\nexport const answer = (question: string) => question.length;\n```\n\n";

/** Pieces of an answer as a model sends them: a few letters each, with paragraphs, lists and code. */
function* piecesOf(count: number): Generator<string> {
  const text = PARAGRAPH.repeat(4) + CODE;
  for (let at = 0, sent = 0; sent < count; sent++) {
    const length = 4 + (sent % 5);
    yield (text + text).slice(at, at + length);
    at = (at + length) % text.length;
  }
}

/** Agent that says pieces at an even pace, as one message. */
export function createStreamingAgent(perSecond: number, seconds: number): Agent {
  return createAgent({
    info,
    newSession() {},
    async prompt(turn) {
      const begun = performance.now();
      let sent = 0;
      for (const piece of piecesOf(perSecond * seconds)) {
        await turn.say(piece);
        sent += 1;
        const early = begun + (sent * 1_000) / perSecond - performance.now();
        if (early >= 8) await pass(early);
      }
      await turn.say(`\n\n${END}`);
    },
  });
}

/**
 * Agent whose turn has about this number of updates: answers of 30 pieces, thoughts of 10, and tool calls with output and
 * a change of a file. `ended` settles when all were sent.
 */
export function createLongAgent(updates: number): { readonly agent: Agent; readonly ended: Promise<void> } {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const agent = createAgent({
    info,
    newSession() {},
    async prompt(turn) {
      for (let round = 0; round < updates / 50; round++) {
        for (const piece of piecesOf(10)) await turn.think(piece);
        const call = turn.toolCall({
          title: `Change file ${round}`,
          kind: "edit",
          rawInput: { path: `/work/${round}.ts` },
        });
        for (let line = 0; line < 7; line++)
          call.append({ type: "content", content: { type: "text", text: `line ${line}\n` } });
        const change = {
          operation: "modify",
          path: `/work/${round}.ts`,
          oldText: "one\ntwo\n",
          newText: "one\nthree\n",
        } as const;
        call.append({ type: "diff", changes: [change] });
        call.finish();
        for (const piece of piecesOf(30)) await turn.say(piece);
        // The program that drives the browser is this one.
        await othersWork();
      }
      await turn.say(END);
      end();
    },
  });
  return { agent, ended };
}
