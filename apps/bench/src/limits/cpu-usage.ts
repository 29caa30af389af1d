// Loaded into both processes of a cell by `cpu.js`: adds one line with the CPU time of this process to a file at its end.
import { appendFileSync } from "node:fs";

const file = new URL(import.meta.url).searchParams.get("file");
const isAgent = process.argv[1]?.endsWith("/agent.js") === true;

process.on("exit", () => {
  if (file === null) return;
  const { user, system } = process.cpuUsage();
  appendFileSync(file, `${JSON.stringify({ process: isAgent ? "agent" : "client", user, system })}\n`);
});
