import { live, type Scene } from "./live.js";

// A client that is to be killed: in the middle, by itself, or when it has nothing left to say.
await live(JSON.parse(process.argv[2] ?? "") as Scene);
process.kill(process.pid, "SIGKILL");
