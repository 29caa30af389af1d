import { parseArgs } from "node:util";
import fc from "fast-check";
import { conversation } from "./arbitrary-conversation.js";
import { checkLaws, laws } from "./properties.js";

// Holds the laws of the reducer against many random conversations, and ends with 1 if one is broken.
// npx -y pnpm@10 properties --sequences 100000 --seed 7
const { values } = parseArgs({
  options: { sequences: { type: "string", default: "100000" }, seed: { type: "string", default: "20261121" } },
});
const sequences = Number(values.sequences);
const seed = Number(values.seed);
if (!(sequences > 0) || !Number.isInteger(seed)) throw new TypeError("--sequences and --seed are whole numbers.");

const kinds = new Map<string, number>();
let events = 0;
const started = performance.now();
const outcome = fc.check(
  fc.property(conversation, (given) => {
    const received = checkLaws(given);
    events += received.events.length;
    for (const { type } of received.events) kinds.set(type, (kinds.get(type) ?? 0) + 1);
  }),
  { numRuns: sequences, seed },
);
console.log(
  `seed ${seed}, ${outcome.numRuns} sequences with ${events} events in ${((performance.now() - started) / 1000).toFixed(1)} s`,
);
for (const [kind, count] of [...kinds].toSorted(([, a], [, b]) => b - a)) console.log(`  ${count} ${kind}`);
for (const name of Object.keys(laws)) console.log(`a session ${name}`);
if (outcome.failed) console.log(`${outcome.errorInstance}\n${fc.defaultReportMessage(outcome)}`);
console.log(outcome.failed ? "broken" : "\nall hold");
process.exitCode = outcome.failed ? 1 : 0;
