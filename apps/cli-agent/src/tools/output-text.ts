import type { ToolOutput } from "../model.js";

export function textOfOutput(output: ToolOutput): string {
  switch (output.type) {
    case "text":
      return output.value;
    case "json":
      return JSON.stringify(output.value);
    case "picture":
      return output.text;
    case "error":
      return output.message;
  }
}

export function addText(output: ToolOutput, text: string): ToolOutput {
  switch (output.type) {
    case "text":
      return { ...output, value: `${output.value}\n\n${text}` };
    case "json":
      return { ...output, value: { result: output.value, more: text } };
    case "picture":
      return { ...output, text: `${output.text}\n\n${text}` };
    case "error":
      return { ...output, message: `${output.message}\n\n${text}` };
  }
}
