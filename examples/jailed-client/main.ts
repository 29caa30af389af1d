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
  const { stopReason, error } = await run({
    agent: [command, ...args],
    cwd: process.cwd(),
    prompt,
    variables: ["MODEL_URL", "MODEL_NAME", "MODEL_API_KEY"],
    input: process.stdin,
    output: process.stdout,
  });
  console.log(`\nThe turn ended: ${stopReason}${error ? `, ${printable(error.message)}` : ""}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
