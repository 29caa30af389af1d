import { fileURLToPath } from "node:url";

/** Path of the page with the tables. */
export const page = fileURLToPath(new URL("../../../../docs/reference/remote-peers.md", import.meta.url));
