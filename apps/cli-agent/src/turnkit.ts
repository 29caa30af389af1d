#!/usr/bin/env node
// One installation has both programs: the agent, and the client with which a person uses the agent.
import { runTurnkit } from "@turnkit/node-client";

await runTurnkit(process.argv.slice(2));
