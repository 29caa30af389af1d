import type { Cell, Reading } from "./cell.js";
import { beginLife } from "./lives.js";

// Lives one cell and prints its readings as JSON: node --expose-gc cell-main.mjs '{"side": …}' 10000 100000
const [cell = "{}", ...marks] = process.argv.slice(2);
const { gc } = globalThis as { gc?: () => void };

/** Returns the used heap after collection. Finalizers and timers make several rounds necessary. */
async function heapAfterCollection(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    gc?.();
  }
  return process.memoryUsage().heapUsed;
}

const life = await beginLife(JSON.parse(cell) as Cell);
const readings: Reading[] = [];
let turn = 0;
for (const mark of marks.map(Number)) {
  const timed = Math.ceil((mark - turn) / 10);
  let began = performance.now();
  while (turn < mark) {
    turn += 1;
    if (turn === mark - timed + 1) began = performance.now();
    await life.prompt(turn);
  }
  const msPerPrompt = (performance.now() - began) / timed;
  readings.push({ prompts: mark, heap: await heapAfterCollection(), msPerPrompt });
}
console.log(JSON.stringify(readings));
await life.close();
process.exit();
