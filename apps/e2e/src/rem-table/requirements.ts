import { accessRows } from "./access-rows.js";
import type { ClientRow } from "./client-row.js";
import { clientRows } from "./client-rows.js";
import { reconnectRows } from "./reconnect-rows.js";
import { requestRows } from "./request-rows.js";
import { resumptionRows } from "./resumption-rows.js";
import type { Row } from "./row.js";
import { streamRows } from "./stream-rows.js";

const byId = (one: { readonly id: string }, other: { readonly id: string }): number => one.id.localeCompare(other.id);

/** Observations of a server, by requirement. */
export const serverRequirements: readonly Row[] = [
  ...requestRows,
  ...streamRows,
  ...accessRows,
  ...resumptionRows,
].sort(byId);

/** Observations of a client, by requirement. */
export const clientRequirements: readonly ClientRow[] = [...clientRows, ...reconnectRows].sort(byId);

/** Requirements, or parts of them, that no row observes. */
export const unobserved: readonly { readonly id: string; readonly why: string }[] = [
  {
    id: "REM-16",
    why: "Not the server but the log of an agent decides which parts of a session are kept after `DELETE`.",
  },
  { id: "REM-22", why: "The bound of 32 MiB for a message of the agent. Unit tests check it." },
  { id: "REM-37", why: "The number of streams and the token of a browser. Tests in Chromium check them." },
  { id: "REM-46", why: "`state_update` of version 2 after a resume. The agent of these rows speaks version 1." },
  { id: "REM-47", why: "Restart of an agent. The command `cuts` restarts a process with a file log." },
  { id: "REM-48", why: "It is about the inside of an implementation. No message on the wire may show it." },
  { id: "REM-49", why: "Thousands of cuts at every kind of position. The command `cuts` makes them." },
  { id: "REM-53", why: "The bounds of 10 s and 30 s. Unit tests check them with a manual clock." },
];
