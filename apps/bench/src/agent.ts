// The agent of a cell over stdio: `agent.js PARTY [STATE_BYTES]`.
import { type PartyName, parties } from "./wire/parties.js";

// Some clients end their agent by a signal; what `--cpu-prof` writes is written at an orderly exit only.
process.once("SIGTERM", () => process.exit());

const [name, stateBytes] = process.argv.slice(2);
const party = await parties[name as PartyName]();
await party.serveStdio(stateBytes === undefined ? undefined : Number(stateBytes));
