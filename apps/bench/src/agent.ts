// Agent of a cell over stdio: `agent.js PARTY [STATE_BYTES]`.
import { type PartyName, parties } from "./wire/parties.js";

// Some clients end their agent with a signal. Node writes the output of `--cpu-prof` only at an orderly exit.
process.once("SIGTERM", () => process.exit());

const [name, stateBytes] = process.argv.slice(2);
const party = await parties[name as PartyName]();
await party.serveStdio(stateBytes === undefined ? undefined : Number(stateBytes));
