import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linesOf, mostPacked } from "../wire/packed.js";
import { MessageLog } from "./log/message-log.js";
import { type Outgoing, OutStream, type Reader } from "./out-stream.js";
import { type Frame, Playback } from "./playback.js";

const AGREES = `"agrees":true`;

const never = () => undefined;
const listener = { taken: never, writes: never, attached: never, detached: never };
const reader = (): Reader => ({ wake: never, end: never, replaced: never });

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("push" as const),
      count: fc.oneof({ weight: 30, arbitrary: fc.integer({ min: 1, max: 12 }) }, fc.constant(1_100)),
      size: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 80 }) }, fc.constant(30_000)),
    }),
  },
  fc.record({ kind: fc.constant("agree" as const) }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("send" as const), frames: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("arrive" as const), frames: fc.integer({ min: 1, max: 4 }) }) },
  fc.record({ kind: fc.constant("cut" as const), states: fc.integer({ min: 0, max: 2 }) }),
);

/** A stream, its present reader, the network between them, and what a client has got. */
class Talk {
  readonly got: string[] = [];
  readonly pushed: string[] = [];
  readonly frames: Frame[] = [];
  isAgreed = false;
  readonly #stream = new OutStream(
    undefined,
    new MessageLog({ family: "f", log: 1 }, { items: 1e6, size: 1e9, ms: 1e9 }),
    listener,
  );
  #flying: Frame[] = [];
  #cursor = this.#stream.log.cursor;
  #playback: Playback;
  /** States of the present reader, and the number of messages before them. */
  #states: { texts: readonly string[]; after: number } = { texts: [], after: 0 };

  constructor() {
    this.#playback = this.#read([]);
  }

  #read(afterReplay: readonly string[]): Playback {
    const its = reader();
    this.#stream.attach(its);
    return new Playback(this.#stream, its, {
      hasCursors: true,
      isPacked: this.got.some((text) => text.includes(AGREES)),
      afterReplay,
    });
  }

  push({ size = 0, agrees = false }): void {
    const text = JSON.stringify({ n: this.pushed.length, filler: "x".repeat(size), agrees });
    this.pushed.push(text);
    const outgoing: Outgoing = { text, agrees };
    this.#stream.push(outgoing);
    if (agrees) this.isAgreed = true;
  }

  send(most: number): void {
    for (let count = 0; count < most && this.#playback.hasNext; count += 1) {
      const frame = this.#playback.next();
      if (frame === undefined) throw new Error("no frame");
      this.frames.push(frame);
      this.#flying.push(frame);
    }
  }

  arrive(most: number): void {
    for (const { texts, cursor } of this.#flying.splice(0, most)) {
      const lines = linesOf(texts.join("\n"));
      if (cursor === undefined) {
        expect(this.got.length).toBe(this.#states.after);
        expect(lines).toEqual([this.#states.texts[0]]);
        this.#states.texts = this.#states.texts.slice(1);
        continue;
      }
      expect(this.#states.texts.length === 0 || this.got.length + lines.length <= this.#states.after).toBe(true);
      const { _meta, ...last } = JSON.parse(lines.at(-1) as string);
      expect(_meta).toEqual({ "acp/cursor": cursor });
      this.got.push(...lines.slice(0, -1), JSON.stringify(last));
      this.#cursor = cursor;
    }
  }

  cut(states: number): void {
    this.#flying = [];
    expect(this.#stream.log.seek([this.#cursor], 0)).toBeUndefined();
    const texts = Array.from({ length: states }, (_, at) => `{"state":${at}}`);
    this.#states = { texts, after: this.pushed.length };
    this.#playback = this.#read(texts);
  }
}

describe("a playback", () => {
  it("REM-41, REM-46: over random cuts, frames have every message once and in order, within their bounds, and states between", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const talk = new Talk();
        for (const one of steps) {
          if (one.kind === "push") for (let at = 0; at < one.count; at += 1) talk.push(one);
          else if (one.kind === "agree") talk.push({ agrees: !talk.isAgreed });
          else if (one.kind === "send") talk.send(one.frames);
          else if (one.kind === "arrive") talk.arrive(one.frames);
          else talk.cut(one.states);
        }
        talk.send(Number.POSITIVE_INFINITY);
        talk.arrive(Number.POSITIVE_INFINITY);
        expect(talk.got.join("\n")).toBe(talk.pushed.join("\n"));
        for (const { texts } of talk.frames) {
          expect(texts.length).toBeLessThanOrEqual(mostPacked.messages);
          const size = texts.reduce((sum, { length }) => sum + length, 0);
          expect(texts.length === 1 || size <= mostPacked.characters + 100).toBe(true);
          expect(texts.length === 1 || !texts.some((text) => text.includes(AGREES))).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
