// The agent of a cell over stdio: `agent.js PARTY [STATE_BYTES]`.
import { type PartyName, parties } from "./wire/parties.js";

const [name, stateBytes] = process.argv.slice(2);
const party = await parties[name as PartyName]();
await party.serveStdio(stateBytes === undefined ? undefined : Number(stateBytes));
