import { createRandom } from "@turnkit/testing";

type Random = ReturnType<typeof createRandom>;
type Json = Record<string | number, unknown>;

/** Writes endless lines as a broken or hostile peer might, each without its line end; the same ones for the same seed. */
export function hostileLines(seed: number, frames: readonly object[]): () => Buffer {
  const random = createRandom(seed);
  const texts = frames.map((frame) => JSON.stringify(frame)) as [string, ...string[]];
  return () => {
    const kind = random.below(100);
    if (kind < 60) return Buffer.from(mutated(random, texts));
    if (kind < 66) return Buffer.from(random.pick(texts));
    if (kind < 96) return broken[random.below(broken.length)]?.(random, texts) as Buffer;
    return Buffer.from(raw[random.below(raw.length)] as string);
  };
}

const huge = 40_000;
/** Fewer levels than a channel parses, because a frame has others around them. */
const deep = 900;

/** Whole lines that are no frame of any method. */
const raw: readonly string[] = [
  "",
  " \t ",
  "null",
  "0",
  "true",
  '"text"',
  "[]",
  "{}",
  "[[]]",
  "[1,2,3]",
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","id":1}',
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"?"}}',
  '{"jsonrpc":"2.0","error":{"code":1.5,"message":7}}',
  '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"both"}}',
  '{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"_none"}',
  '{"jsonrpc":"2.0","id":1e400,"method":"_none","params":{"n":-1e400}}',
  '{"jsonrpc":"2.0","id":-0,"method":"_none","method":"_twice","id":7}',
  '{"jsonrpc":"2.0","id":3,"method":"__proto__","params":{"__proto__":{"x":1},"constructor":{"prototype":null}}}',
  '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"_none"}}',
  '{"jsonrpc":"2.0","id":"\\ud800","method":"_\\udfff","params":{"\\u0000":"\\ud83d"}}',
  '\ufeff{"jsonrpc":"2.0","id":1,"method":"_none"}',
  "npm warn deprecated left-pad@1.3.0",
  "\u001b[31mError:\u001b[0m cannot find module",
  "Content-Length: 17\r",
  "GET / HTTP/1.1\r",
];

const broken: readonly ((random: Random, texts: readonly [string, ...string[]]) => Buffer)[] = [
  (random, texts) => {
    const text = random.pick(texts);
    return Buffer.from(text.slice(0, random.below(text.length)));
  },
  (random, texts) => garbled(random, Buffer.from(random.pick(texts))),
  (random) => garbled(random, Buffer.alloc(1 + random.below(60), 0x7b), 60),
  (random, texts) => Buffer.from(`${mutated(random, texts)}\r`),
  (random, texts) => Buffer.from(`[${mutated(random, texts)},${random.pick(texts)}]`),
  (random, texts) => Buffer.from(`${random.pick(texts)}${random.pick(texts)}`),
  (random, texts) => Buffer.from(`${random.pick(texts)} trailing`),
  (random, texts) => Buffer.from(`  ${random.pick(texts).replaceAll(":", " :\t")}  `),
  (random, texts) => Buffer.from(random.pick(texts).replace(/"([a-zA-Z]+)":/, '"$1":null,"$1":')),
  (random, texts) => Buffer.from(`{"jsonrpc":"1.0",${random.pick(texts).slice(1).replace('"jsonrpc":"2.0",', "")}`),
];

/** Bytes that are no UTF-8 among others; never a line end. */
function garbled(random: Random, bytes: Buffer, times = 1 + random.below(6)): Buffer {
  for (let count = 0; count < times; count++) {
    const byte = random.below(256);
    bytes[random.below(bytes.length)] = byte === 0x0a ? 0xff : byte;
  }
  return bytes;
}

/** A valid frame with one to three faults in it. */
function mutated(random: Random, texts: readonly [string, ...string[]]): string {
  const frame = JSON.parse(random.pick(texts)) as Json;
  for (let count = 1 + random.below(3); count > 0; count--) spoil(random, frame, texts);
  return JSON.stringify(frame);
}

function spoil(random: Random, frame: Json, texts: readonly [string, ...string[]]): void {
  if (random.chance(0.1) && "id" in frame) {
    frame.id = value(random);
    return;
  }
  const [holder, key] = place(random, frame);
  const how = random.below(10);
  if (how < 5) holder[key] = value(random);
  else if (how < 7) delete holder[key];
  else if (how === 7) holder[key] = [holder[key], holder[key]];
  else if (how === 8) holder[`x${random.below(100)}`] = value(random);
  else {
    const [other, otherKey] = place(random, JSON.parse(random.pick(texts)) as Json);
    holder[key] = other[otherKey];
  }
}

function place(random: Random, frame: Json): [holder: Json, key: string] {
  for (let holder = frame; ; ) {
    const keys = Object.keys(holder);
    // Most faults lie inside of what is said: a broken envelope is refused before anybody looks there.
    const key =
      holder === frame && "params" in frame && random.chance(0.8) ? "params" : (keys[random.below(keys.length)] ?? "x");
    const inner = holder[key];
    const goesOn = typeof inner === "object" && inner !== null && Object.keys(inner).length > 0;
    if (!goesOn || random.chance(0.15)) return [holder, key];
    holder = inner as Json;
  }
}

function value(random: Random): unknown {
  if (random.chance(0.002)) return nested();
  if (random.chance(0.002)) return "x".repeat(huge);
  return values[random.below(values.length)]?.(random);
}

function nested(): unknown {
  let inner: unknown = 1;
  for (let level = 0; level < deep; level++) inner = level % 2 ? [inner] : { inner };
  return inner;
}

/** Wrong types, numbers at the edges, names that exist on every object, and ids of every type. */
const values: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => false,
  () => "",
  () => [],
  () => ({}),
  () => [null],
  () => -1,
  () => 0,
  () => 1.5,
  () => 2 ** 53,
  () => -(2 ** 31) - 1,
  () => 1e308,
  (random) => random.below(40),
  (random) => String(random.below(40)),
  (random) => `q${random.below(1_000_000)}`,
  (random) => "é\u0000\u2028\ud800🙂"[random.below(7)],
  () => "__proto__",
  () => "constructor",
  () => "toString",
  () => ({ toString: 1, valueOf: [], hasOwnProperty: {} }),
  () => [[[[[]]]]],
  () => ({ type: "text", text: "hostile" }),
  () => ({ _meta: { a: { b: [1, null] } } }),
  () => "../../etc/passwd",
  () => "file:///etc/passwd",
  () => "ww==",
];
