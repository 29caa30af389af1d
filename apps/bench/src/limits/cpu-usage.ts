// Preloaded by both processes of a cell. At its end, a process adds one line with its CPU time to a file.
import { appendFileSync } from "node:fs";

const file = new URL(import.meta.url).searchParams.get("file");
const isAgent = process.argv[1]?.endsWith("/agent.js") === true;

process.on("exit", () => {
  if (file === null) return;
  const { user, system } = process.cpuUsage();
  appendFileSync(file, `${JSON.stringify({ process: isAgent ? "agent" : "client", user, system })}\n`);
});
