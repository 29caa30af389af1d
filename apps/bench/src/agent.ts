// The agent of a cell over stdio: `agent.js PARTY`.
import { type PartyName, parties } from "./wire/parties.js";

const party = await parties[process.argv[2] as PartyName]();
await party.serveStdio();
