#!/usr/bin/env node
// One install gives both programs: the agent, and the client that a person uses it with.
import { runTurnkit } from "@turnkit/node-client";

await runTurnkit(process.argv.slice(2));
