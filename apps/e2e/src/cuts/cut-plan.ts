import { createRandom } from "@turnkit/testing";

/** Classes of offsets at which a connection is cut. */
export const cutClasses = [
  "inside the request's headers",
  "inside the answer's headers",
  "inside a frame",
  "between frames",
  "before the answer of a POST",
  "after the answer of a POST",
  "during TLS",
  "half-open",
] as const;

export type CutClass = (typeof cutClasses)[number];

export const wires = ["http/1.1", "http/2", "websocket"] as const;

export type Wire = (typeof wires)[number];

/** One cut: its class, the number of pieces that pass the proxy before it, and a number that selects the offset. */
export type Cut = { readonly at: CutClass; readonly after: number; readonly offset: number };

/** One conversation and its cuts. The same seed makes the same plan. */
export type CutPlan = {
  readonly seed: number;
  readonly wire: Wire;
  readonly dialect: "v1" | "v2";
  readonly tls: boolean;
  readonly cuts: readonly Cut[];
};

/** Classes at the start of a connection. */
const early: readonly CutClass[] = ["inside the request's headers", "inside the answer's headers", "during TLS"];

/** Makes the plan of a seed: each six seeds have every wire in both dialects, and each 48 seeds every class. */
export function cutPlan(seed: number): CutPlan {
  const random = createRandom(seed);
  const wire = wires[seed % 3] as Wire;
  const at = cutClasses[Math.floor(seed / 6) % cutClasses.length] as CutClass;
  const cuts = Array.from({ length: 1 + random.below(3) }, () => {
    const cut = { at, after: random.below(30), offset: random.below(1_000) };
    // A connection that lives long has its start again after another cut.
    return early.includes(at)
      ? [
          { ...cut, at: "between frames" as const },
          { ...cut, after: 0 },
        ]
      : [cut];
  }).flat();
  const tls = at === "during TLS" || random.chance(0.2);
  return { seed, wire, dialect: Math.floor(seed / 3) % 2 === 0 ? "v1" : "v2", tls, cuts };
}
