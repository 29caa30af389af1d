/** Work for the agent in a turn. It travels as JSON in the text of the prompt. */
export type Load = {
  /**
   * `rss` asks for one chunk with the peak memory of the agent's process, in KiB. `clock` asks for one chunk with the
   * time of its sending, in milliseconds.
   */
  readonly kind: "chunk" | "tool" | "large" | "rss" | "clock";
  readonly count: number;
};

/** Yields the agent's output for a load: texts of chunks, or contents of updates of one tool call. */
export function* say({ kind, count }: Load): Generator<string> {
  if (kind === "rss") yield String(process.resourceUsage().maxRSS);
  else if (kind === "clock") yield String(performance.timeOrigin + performance.now());
  else for (let index = 0; index < count; index++) yield texts[kind](index);
}

const sentence = "The quick brown fox jumps over the lazy dog, and then rests.\n".slice(8, 60);
// Text like the output of tools: half of it is quotes and line ends, and some letters have two or three bytes.
const output = 'const größe = "→ 12 px";\n\t"path": "C:\\\\temp",\n'.repeat(90).slice(0, 3_900);

// Not decimal, because V8 caches decimal texts of numbers, and the measurement would include this cache.
const numbered = (index: number) => index.toString(36).padStart(8, "0");

/** Returns the number at the beginning of a chunk. */
export const numberOf = (text: string): number => Number.parseInt(text.slice(0, 8), 36);

const texts = {
  chunk: (index: number) => numbered(index) + sentence,
  tool: (index: number) => numbered(index) + output,
  large: () => "0123456789abcdef".repeat(1024 * 1024),
};

export const parseLoad = (text: string): Load => JSON.parse(text) as Load;
