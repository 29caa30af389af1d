import { agentScripts } from "./agent-scripts.js";
import { clientScripts, type Script } from "./client-scripts.js";
import { officialAgent, officialClient } from "./official-sdk.js";
import { turnkitAgent, turnkitClient } from "./turnkit.js";

// Prints which promises about order each implementation keeps, as a Markdown table. A script that hangs has failed.

const PATIENCE_MS = 2_000;

async function passes<Party>(script: Script<Party>, party: Party): Promise<string> {
  const patience = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("it hangs")), PATIENCE_MS).unref();
  });
  try {
    await Promise.race([script.run(party), patience]);
    return "yes";
  } catch (error) {
    return `no: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function table<Party>(scripts: readonly Script<Party>[], ours: Party, theirs: Party): Promise<void> {
  for (const script of scripts) {
    const row = [script.name, await passes(script, ours), await passes(script, theirs)];
    process.stdout.write(`| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`);
  }
}

process.stdout.write("| promise | turnkit | official SDK 2.4.0 |\n| --- | --- | --- |\n");
await table(clientScripts, turnkitClient, officialClient);
await table(agentScripts, turnkitAgent, officialAgent);
process.exit();
