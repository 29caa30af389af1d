import { createHmac } from "node:crypto";

const ENDPOINT = "https://mail.example.com/v2/messages";
const apiToken = process.env.MAILER_TOKEN ?? "";
const SIGNATURE_HEADER = "x-signature-of-message";

export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

export async function sendMail(mail: Mail): Promise<void> {
  if (apiToken === "") throw new Error("Set MAILER_TOKEN to the token of the mail service.");
  const body = JSON.stringify(mail);
  const signature = createHmac("sha256", apiToken).update(body).digest("hex");
  const headers = { authorization: `Bearer ${apiToken}`, [SIGNATURE_HEADER]: signature };
  const response = await fetch(ENDPOINT, { method: "POST", body, headers });
  if (!response.ok) throw new Error(`The mail was refused with ${response.status}.`);
}
