import { run } from "./client.js";
import { printable } from "./console-person.js";

const [prompt, command, ...args] = process.argv.slice(2);
if (prompt === undefined || command === undefined) {
  console.error(
    'Usage: main.ts "PROMPT" COMMAND [ARGUMENT…], such as: main.ts "What is here?" npx tsx ../model-agent/main.ts',
  );
  process.exit(2);
}
try {
  const { stopReason } = await run({
    agent: [command, ...args],
    cwd: process.cwd(),
    prompt,
    variables: ["MODEL_URL", "MODEL_NAME", "MODEL_API_KEY"],
    input: process.stdin,
    output: process.stdout,
  });
  console.log(`\nThe turn ended: ${stopReason}`);
} catch (error) {
  // The text of an error may be the agent's.
  console.error(`\n${printable(error instanceof Error ? error.message : String(error))}`);
  process.exitCode = 1;
}
