import { homedir } from "node:os";
import { join } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { serveStdio } from "@turnkit/agent/node";
import { createModelAgent } from "./agent.js";

const { MODEL_URL = "http://127.0.0.1:11434/v1", MODEL_NAME = "qwen3:8b", MODEL_API_KEY } = process.env;
const provider = createOpenAICompatible({ name: "model", baseURL: MODEL_URL, apiKey: MODEL_API_KEY });
const folder = process.env.SESSIONS_FOLDER ?? join(homedir(), ".model-agent");

await serveStdio(async () => ({ default: createModelAgent({ model: provider(MODEL_NAME), folder }) }));
