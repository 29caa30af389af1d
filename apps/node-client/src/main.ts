#!/usr/bin/env node
import { runTurnkit } from "./turnkit.js";

await runTurnkit(process.argv.slice(2));
